import { hash } from 'node:crypto';
import type { Sha256 } from '@colophon/model';

/** First size of the buffer. The input for a leaf or node, of the log or of the map, has at most 66 bytes. */
const SHORT_BYTES = 72;

/**
 * Creates a SHA-256 computation for short inputs. It collects the input and hashes it with one call. `createHash`
 * allocates a native object for each hash, and the garbage collector visits each of them at every collection. Proofs
 * of a long bundle compute tens of thousands of hashes.
 */
export function createSha256(): Sha256 {
  return collect(Buffer.allocUnsafe(SHORT_BYTES), 0);
}

function collect(initial: Buffer, length: number): Sha256 {
  let bytes = initial;
  let end = length;
  return {
    update(more) {
      if (end + more.length > bytes.length) bytes = enlarge(bytes, end + more.length);
      bytes.set(more, end);
      end += more.length;
    },
    // Hex text, because a digest as bytes would allocate memory outside the heap. `Buffer.from` takes memory from a
    // pool.
    digest: () => Buffer.from(hash('sha256', bytes.subarray(0, end), 'hex'), 'hex'),
    copy: () => collect(Buffer.from(bytes), end),
  };
}

function enlarge(bytes: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(least, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}
