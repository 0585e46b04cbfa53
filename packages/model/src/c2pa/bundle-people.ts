import type { BundleContext } from './bundle-context.js';
import type { AttributionDraft, EntityDraft } from './bundle-draft.js';
import { derivedEntityId, derivedUuid } from './derived-id.js';
import { signerEntity } from './signer-entity.js';
import type { StoredAuthor, StoredManifest } from './stored-manifest.js';

/** Attribution role of the signer of a manifest, for the manifest's content. */
export const SIGNER_ROLE = 'ext:c2pa:signer';

export function readPeople(
  context: BundleContext,
  manifest: StoredManifest,
): { entities: EntityDraft[]; attributions: AttributionDraft[] } {
  const authors = manifest.authors.map((author) => authorEntity(context, manifest, author));
  const signer = signerEntity(context, manifest);
  const signers = signer === undefined ? [] : [signer];
  const attribute = (entity: EntityDraft, role: string) => ({
    id: derivedUuid('attribution', [context.options.fileCid, manifest.label, role, entity.id]),
    entityId: entity.id,
    resourceCid: context.assets.ofManifest(manifest),
    role,
  });
  return {
    entities: [...authors, ...signers],
    attributions: [
      ...authors.map((entity) => attribute(entity, 'creator')),
      ...signers.map((entity) => attribute(entity, SIGNER_ROLE)),
    ],
  };
}

function authorEntity(
  { options }: BundleContext,
  { label }: StoredManifest,
  author: StoredAuthor,
): EntityDraft {
  const { name, role } = author;
  return { id: derivedEntityId('author', [options.fileCid, label, role, name]), role, name };
}
