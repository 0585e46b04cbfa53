import type { EmbedInput, JsonObject } from '@colophon/model';
import { findFormat } from '../../media/formats.js';
import { withoutAbsent } from '../draft/draft-records.js';
import type { StagedMedia } from '../draft/stage-media.js';
import type { WatermarkedCopy } from '../matching/write-marked-copy.js';

/** `parts`: the form parts that contain ingredients, by name. */
export interface Embedding {
  input: EmbedInput;
  media: StagedMedia;
  parts: ReadonlyMap<string, StagedMedia>;
  /** The copy to sign instead of the file. */
  watermarked?: WatermarkedCopy | undefined;
  /** Whether the action only makes a marked copy of the file. */
  isMark?: boolean;
  /** Has no effect after the signed file is recorded. */
  signal?: AbortSignal;
}

export function canSign(mediaType: string): boolean {
  return findFormat(mediaType)?.write === true;
}

/**
 * Returns the data that the fingerprint of the request covers. Omits signing keys, which are never stored. Contains the
 * digest of the sent file, because each signed copy differs.
 */
export function requestOf({ input, media, parts }: Embedding): JsonObject {
  const { signingCertificate: _, signingKey: __, signingAlgorithm: ___, identity, title, ...asked } = input;
  const isSigned = typeof title === 'string' && canSign(media.mediaType);
  const digests = [...parts].map(([name, { digests }]) => [name, digests.contentDigest]);
  return {
    ...withoutAbsent(asked),
    ...(isSigned ? { title } : {}),
    ...(identity === undefined ? {} : { identity: { roles: identity.roles } }),
    contentDigest: media.digests.contentDigest,
    ...(digests.length === 0 ? {} : { parts: Object.fromEntries(digests) }),
  };
}
