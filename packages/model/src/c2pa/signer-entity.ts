import type { BundleContext } from './bundle-context.js';
import type { EntityDraft } from './bundle-draft.js';
import { derivedEntityId } from './derived-id.js';
import type { StoredManifest } from './stored-manifest.js';

/**
 * Returns undefined when the certificate has no name. Manifests do not share a signer entity, because a name in a
 * certificate does not prove an identity.
 */
export function signerEntity({ options }: BundleContext, manifest: StoredManifest): EntityDraft | undefined {
  const name = manifest.signature?.issuer ?? manifest.signature?.commonName;
  if (name === undefined) return undefined;
  return { id: derivedEntityId('signer', [options.fileCid, manifest.label]), role: 'organization', name };
}
