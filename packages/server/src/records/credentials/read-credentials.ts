import { toValidation, type Validation } from '@colophon/model';
import { interpretManifestStore } from '../../media/interpret-manifest-store.js';
import type { InterpretOptions, ManifestReading } from '../../media/manifest-reading.js';
import type { StagedMedia } from '../draft/stage-media.js';
import type { CredentialDeps } from './deps.js';

/** The credentials of a file, and their validation, which is null when there are none. */
export interface Credentials {
  /** Undefined without a manifest, and for one that cannot be parsed. */
  reading: ManifestReading | undefined;
  validation: Validation | null;
  /** Also false for a damaged file whose remains show no manifest. */
  hasManifest: boolean;
  /** The address of a remote manifest, from the file. */
  remoteUrl?: string;
}

/** `signal` aborts the reading. */
type ReadOptions = Pick<StagedMedia, 'path' | 'mediaType'> &
  InterpretOptions & { signal?: AbortSignal | undefined };

/** Reads and validates the manifest of a file with the trust anchors of the service and the project. */
export async function readCredentials(
  deps: CredentialDeps,
  projectId: string,
  { path, mediaType, signal, ...options }: ReadOptions,
): Promise<Credentials> {
  const trustAnchorsPem = await anchorsOf(deps, projectId);
  const engine = await deps.engine.get();
  const outcome = await engine.read({
    path,
    mediaType,
    tenant: projectId,
    signal,
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

/** Returns the trust anchors for a project's files, as PEM. */
export async function anchorsOf(deps: CredentialDeps, projectId: string): Promise<string | undefined> {
  const { trustAnchorsPem } = await deps.readSettings(projectId);
  const all = [deps.trustAnchorsPem, trustAnchorsPem].filter((pem) => pem !== undefined);
  return all.length === 0 ? undefined : all.join('\n');
}
