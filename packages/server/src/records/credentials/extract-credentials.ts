import { createHash } from 'node:crypto';
import {
  createContentHasher,
  detectAi,
  type MediaExtraction,
  type MediaVerification,
  toBundle,
  toDisplay,
  toManifest,
} from '@colophon/model';
import type { CredentialNeeds } from './needs.js';
import { type Credentials, readCredentials } from './read-credentials.js';
import type { StagedMedia } from './stage-media.js';

/** What a file's manifest says, and as which records. Nothing is stored. */
export async function extractCredentials(
  needs: CredentialNeeds,
  projectId: string,
  media: StagedMedia,
): Promise<MediaExtraction> {
  const credentials = await readCredentials(needs, projectId, media);
  const { store, validation, remoteUrl } = credentials;
  const claimed = store === undefined ? null : toManifest(store);
  const isValid = validation !== null && validation.state !== 'invalid';
  return {
    ...describeFile(media),
    manifest: isValid ? claimed : null,
    ...verdictOn(credentials),
    bundle:
      isValid && store !== undefined
        ? toBundle(store, {
            fileCid: media.digests.cid,
            mimeType: media.mediaType,
            thumbnailCids: nameThumbnails(credentials.thumbnails),
          })
        : null,
    ...(isValid || claimed === null ? {} : { unverifiedManifest: claimed }),
    ...(remoteUrl === undefined ? {} : { remoteManifestUrl: remoteUrl }),
  };
}

/** Whether a file's manifest can be believed. Nothing is stored. */
export async function verifyCredentials(
  needs: CredentialNeeds,
  projectId: string,
  media: StagedMedia,
): Promise<MediaVerification> {
  const credentials = await readCredentials(needs, projectId, media);
  return {
    ...describeFile(media),
    hasManifest: credentials.hasManifest,
    ...verdictOn(credentials),
  };
}

/** The content ids of pictures in a manifest, by what the manifest calls them. */
export function nameThumbnails(thumbnails: Credentials['thumbnails']): Map<string, string> {
  return new Map(
    thumbnails.map(({ identifier, bytes }) => {
      const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
      hasher.update(bytes);
      return [identifier, hasher.finish().cid];
    }),
  );
}

/** What every answer on a file says of the file itself. */
export function describeFile({ digests, mediaType }: StagedMedia): {
  cid: string;
  mimeType: string;
  size: number;
} {
  return { cid: digests.cid, mimeType: mediaType, size: digests.sizeBytes };
}

function verdictOn({
  store,
  validation,
}: Credentials): Pick<MediaExtraction, 'aiDetection' | 'validation' | 'display'> {
  return {
    aiDetection: detectAi(store ?? null),
    validation,
    display: store === undefined || validation === null ? null : toDisplay(store, validation),
  };
}
