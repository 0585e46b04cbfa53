import { GEAR } from './gear-table.js';
import type { IsccUnit } from './header.js';
import { createMinhash } from './minhash.js';
import { xxh32 } from './xxh32.js';

const AVERAGE_BYTES = 1024;
const MIN_BYTES = AVERAGE_BYTES / 4;
const MAX_BYTES = AVERAGE_BYTES * 8;
/**
 * The strict mask applies below this size, and the loose mask from this size on. So most chunks have about the average
 * size.
 */
const CENTER_BYTES = AVERAGE_BYTES - MIN_BYTES - MIN_BYTES / 2;
const STRICT_MASK = 2 ** 11 - 1;
const LOOSE_MASK = 2 ** 9 - 1;

/** Computes the Data-Code of bytes that arrive in pieces. */
export interface DataHasher {
  /** Appends bytes. The caller may reuse the buffer after the call. */
  update(bytes: Uint8Array): void;
  /** Returns the Data-Code of the appended bytes. Call it once. */
  finish(): IsccUnit;
}

/**
 * Creates the hasher of a Data-Code. The hasher divides the bytes into content-defined chunks with a Gear rolling hash,
 * and computes the MinHash of the chunks. Its buffer has 8 KiB, whatever the length of the content. The division of the
 * bytes into pieces does not change the result.
 */
export function createDataHasher(): DataHasher {
  const minhash = createMinhash();
  const chunk = new Uint8Array(MAX_BYTES);
  let size = 0;
  let pattern = 0;
  let chunks = 0;
  const cut = () => {
    minhash.add(xxh32(chunk.subarray(0, size)));
    [size, pattern, chunks] = [0, 0, chunks + 1];
  };
  return {
    update(bytes) {
      for (const byte of bytes) {
        const at = size;
        chunk[size++] = byte;
        if (at >= MIN_BYTES) {
          pattern = (pattern >>> 1) + (GEAR[byte] ?? 0);
          const mask = at < CENTER_BYTES ? STRICT_MASK : LOOSE_MASK;
          if ((pattern & mask) === 0 || size === MAX_BYTES) cut();
        }
      }
    },
    finish() {
      if (size > 0 || chunks === 0) cut();
      return { mainType: 'data', digest: minhash.digest() };
    },
  };
}
