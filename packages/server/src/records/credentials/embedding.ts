import type { EmbedInput, JsonObject } from '@colophon/model';
import { withoutAbsent } from '../draft/draft-records.js';
import type { StagedMedia } from '../draft/stage-media.js';

/** A file to sign: the content of its manifest, and the parts that ingredients name. */
export interface Embedding {
  input: EmbedInput;
  media: StagedMedia;
  parts: ReadonlyMap<string, StagedMedia>;
  /** Aborts the work until the signed file is recorded. */
  signal?: AbortSignal;
}

/** Returns the request without its signing credentials. They are never stored, and every signature differs. */
export function requestOf({ input, media, parts }: Embedding): JsonObject {
  const { signingCertificate: _, signingKey: __, signingAlgorithm: ___, identity, ...asked } = input;
  const digests = [...parts].map(([name, { digests }]) => [name, digests.contentDigest]);
  return {
    ...withoutAbsent(asked),
    ...(identity === undefined ? {} : { identity: { roles: identity.roles } }),
    contentDigest: media.digests.contentDigest,
    ...(digests.length === 0 ? {} : { parts: Object.fromEntries(digests) }),
  };
}
