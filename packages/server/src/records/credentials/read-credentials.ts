import { toValidation, type Validation } from '@colophon/model';
import { interpretManifestStore } from '../../media/interpret-manifest-store.js';
import type { InterpretOptions, ManifestReading } from '../../media/manifest-reading.js';
import type { StagedMedia } from '../draft/stage-media.js';
import type { CredentialDeps } from './deps.js';

/** `validation` is null for a file without an embedded manifest. */
export interface Credentials {
  /** Undefined without an embedded manifest, and for a manifest that cannot be parsed. */
  reading: ManifestReading | undefined;
  validation: Validation | null;
  /** False for a file without a manifest, and for a damaged file without a trace of a manifest. */
  hasManifest: boolean;
  /** The URL of a remote manifest, as the file states it. */
  remoteUrl?: string;
}

type ReadOptions = Pick<StagedMedia, 'path' | 'mediaType'> &
  InterpretOptions & { signal?: AbortSignal | undefined; isBackground?: boolean | undefined };

export async function readCredentials(
  deps: CredentialDeps,
  projectId: string,
  { path, mediaType, signal, isBackground, ...options }: ReadOptions,
): Promise<Credentials> {
  const trustAnchorsPem = await anchorsOf(deps, projectId);
  const engine = await deps.engine.get();
  const outcome = await engine.read({
    path,
    mediaType,
    tenant: projectId,
    signal,
    isBackground,
    interpretOptions: options,
    identityAnchorsPem: deps.identityAnchorsPem,
    ...(trustAnchorsPem === undefined ? {} : { trustAnchorsPem }),
  });
  switch (outcome.kind) {
    case 'none':
      return { reading: undefined, validation: null, hasManifest: false };
    case 'remote':
      return { reading: undefined, validation: null, hasManifest: false, remoteUrl: outcome.url };
    case 'broken':
      return { reading: undefined, validation: toValidation(outcome), hasManifest: outcome.holdsManifest };
    case 'interpreted':
      return toCredentials(outcome.reading);
    case 'store':
      return toCredentials(interpretManifestStore(outcome, options));
  }
}

function toCredentials(reading: ManifestReading): Credentials {
  return { reading, validation: reading.validation, hasManifest: true };
}

export async function anchorsOf(deps: CredentialDeps, projectId: string): Promise<string | undefined> {
  const { trustAnchorsPem } = await deps.readSettings(projectId);
  const all = [deps.trustAnchorsPem, trustAnchorsPem].filter((pem) => pem !== undefined);
  return all.length === 0 ? undefined : all.join('\n');
}
