import type { MediaExtraction, MediaVerification } from '@colophon/model';
import type { StagedMedia } from '../draft/stage-media.js';
import type { CredentialDeps } from './deps.js';
import { type Credentials, readCredentials } from './read-credentials.js';

/** `signal` aborts when no caller waits any more. */
export type AwaitedMedia = StagedMedia & { signal?: AbortSignal };

/** Drafts records from the manifest of a file. Stores nothing. */
export async function extractCredentials(
  deps: CredentialDeps,
  projectId: string,
  media: AwaitedMedia,
): Promise<MediaExtraction> {
  const { path, mediaType, digests, signal } = media;
  const bundle = { fileCid: digests.cid, mimeType: mediaType };
  const credentials = await readCredentials(deps, projectId, { path, mediaType, signal, bundle });
  const { reading, validation, remoteUrl } = credentials;
  const claimed = reading?.manifest ?? null;
  const isValid = validation !== null && validation.state !== 'invalid';
  return {
    ...describeFile(media),
    manifest: isValid ? claimed : null,
    ...verdictOn(credentials),
    bundle: reading?.bundle ?? null,
    ...(isValid || claimed === null ? {} : { unverifiedManifest: claimed }),
    ...(remoteUrl === undefined ? {} : { remoteManifestUrl: remoteUrl }),
  };
}

export async function verifyCredentials(
  deps: CredentialDeps,
  projectId: string,
  media: AwaitedMedia,
): Promise<MediaVerification> {
  const { path, mediaType, signal } = media;
  const credentials = await readCredentials(deps, projectId, { path, mediaType, signal });
  return {
    ...describeFile(media),
    hasManifest: credentials.hasManifest,
    ...verdictOn(credentials),
  };
}

export function describeFile({ digests, mediaType }: StagedMedia): {
  cid: string;
  mimeType: string;
  size: number;
} {
  return { cid: digests.cid, mimeType: mediaType, size: digests.sizeBytes };
}

function verdictOn({
  reading,
  validation,
}: Credentials): Pick<MediaExtraction, 'aiDetection' | 'validation' | 'display'> {
  return { aiDetection: reading?.aiDetection ?? null, validation, display: reading?.display ?? null };
}
