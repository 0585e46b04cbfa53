import { hash } from 'node:crypto';
import type { Sha256 } from '@colophon/model';

/** A hash of a leaf or node in the log or the map has an input of at most 66 bytes. */
const SHORT_BYTES = 72;
const MAX_UNUSED = 16;

const unused: Buffer[] = [];

/**
 * Creates a SHA-256 for short inputs. With `createHash`, each hash allocates a native object, which slows the garbage
 * collector.
 */
export function createSha256(): Sha256 {
  return new CollectingSha256();
}

class CollectingSha256 implements Sha256 {
  #bytes = unused.pop() ?? Buffer.allocUnsafe(SHORT_BYTES);
  #hasEnded = false;
  #length = 0;

  update(more: Uint8Array): void {
    this.#assertOpen();
    const length = this.#length + more.length;
    if (length > this.#bytes.length) this.#bytes = enlarge(this.#bytes, length);
    this.#bytes.set(more, this.#length);
    this.#length = length;
  }

  digest(): Uint8Array {
    this.#assertOpen();
    this.#hasEnded = true;
    const bytes = this.#bytes;
    // If `hash` returned bytes, it would allocate memory outside the heap. `Buffer.from` takes memory from a pool.
    const digest = Buffer.from(hash('sha256', bytes.subarray(0, this.#length), 'binary'), 'binary');
    if (bytes.length === SHORT_BYTES && unused.length < MAX_UNUSED) unused.push(bytes);
    return digest;
  }

  copy(): Sha256 {
    this.#assertOpen();
    const copied = new CollectingSha256();
    copied.update(this.#bytes.subarray(0, this.#length));
    return copied;
  }

  /** After `digest`, another computation can use the buffer. */
  #assertOpen(): void {
    if (this.#hasEnded) throw new Error('The hash has ended. Create another one.');
  }
}

function enlarge(bytes: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(least, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}
