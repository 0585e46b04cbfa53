import { hash } from 'node:crypto';
import type { Sha256 } from '@colophon/model';

/** Bytes for the input of a leaf or node of the log and of the map, which have at most 66. */
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
    // Text, since a digest as bytes has a backing store of its own outside the heap. `from` uses the pool of buffers.
    digest: () => Buffer.from(hash('sha256', bytes.subarray(0, end), 'hex'), 'hex'),
    copy: () => collect(Buffer.from(bytes), end),
  };
}

function enlarge(bytes: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(least, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}
