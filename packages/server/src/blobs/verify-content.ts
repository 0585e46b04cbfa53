import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import type { ByteRange } from './blob-store.js';

/** `afterSkipped` is called with the size of each piece outside of the range. */
interface VerifiedRange {
  range: ByteRange;
  afterSkipped?: (bytes: number) => Promise<void>;
}

/**
 * Yields content, or a range of it. Always reads the whole content, and throws before the last piece if the digest does
 * not match.
 */
export async function* verifyContent(
  whole: AsyncIterable<Uint8Array>,
  contentDigest: string,
  part?: VerifiedRange,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const { start, end } = part?.range ?? { start: 0, end: Number.POSITIVE_INFINITY };
  let offset = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of whole) {
    hash.update(chunk);
    const piece = chunk.subarray(Math.max(start - offset, 0), Math.max(end + 1 - offset, 0));
    offset += chunk.length;
    if (piece.length === 0) {
      await part?.afterSkipped?.(chunk.length);
      continue;
    }
    if (held !== undefined) yield held;
    held = piece;
  }
  if (`sha256:${hash.digest('hex')}` !== contentDigest) throw new AlteredContentError(contentDigest);
  if (held !== undefined) yield held;
}

export class AlteredContentError extends ServiceError {
  constructor(contentDigest: string) {
    super('Unavailable', `The stored bytes of ${contentDigest} differ from the recorded bytes.`, {
      recovery: 'Have the operator run `colophon fsck --repair`.',
    });
  }
}
