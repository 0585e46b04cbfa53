import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { ByteRange } from './blob-store.js';

/**
 * Yields content, or a range of it. Always reads and verifies the whole content. Yields the last piece only if all
 * bytes match the digest. Otherwise, throws before the last piece.
 */
export async function* verifyContent(
  whole: AsyncIterable<Uint8Array>,
  contentDigest: string,
  range?: ByteRange,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY };
  let offset = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of whole) {
    hash.update(chunk);
    const part = chunk.subarray(Math.max(start - offset, 0), Math.max(end + 1 - offset, 0));
    offset += chunk.length;
    if (part.length === 0) continue;
    if (held !== undefined) yield held;
    held = part;
  }
  if (`sha256:${hash.digest('hex')}` !== contentDigest) throw new AlteredContentError(contentDigest);
  if (held !== undefined) yield held;
}

/** The bytes in a store differ from their digest. */
export class AlteredContentError extends ServiceError {
  constructor(contentDigest: string) {
    super('Unavailable', `The stored bytes of ${contentDigest} differ from the recorded bytes.`, {
      recovery: 'Have the operator run `colophon fsck --repair`.',
    });
  }
}
