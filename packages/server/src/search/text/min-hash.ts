import { hashText, hashUnits } from './hash-units.js';
import type { Words } from './words.js';

const HASHES = 128;
const SHINGLE_WORDS = 3;
/** Maps unsigned to signed numbers in the same order. Signed numbers compare faster. */
const SIGN = 0x80000000 | 0;
const MULTIPLIERS = Int32Array.from({ length: HASHES }, (_, index) => hashText(`a${index}`) | 1);
const OFFSETS = Int32Array.from({ length: HASHES }, (_, index) => hashText(`b${index}`) ^ SIGN);

/** MinHash of the runs of 3 words (Broder 1997): 128 numbers of 32 bits, big-endian. */
export function minHash(words: Words): Uint8Array {
  const shingles = hashShingles(words);
  const bytes = Buffer.alloc(HASHES * 4);
  for (let index = 0; index < HASHES; index += 2) {
    const [least, leastOfNext] = leastOfTwo(shingles, index);
    bytes.writeInt32BE(least ^ SIGN, index * 4);
    bytes.writeInt32BE(leastOfNext ^ SIGN, index * 4 + 4);
  }
  return bytes;
}

/** The processor computes both minima in parallel. */
function leastOfTwo(shingles: Int32Array, index: number): [number, number] {
  const [a, b] = [MULTIPLIERS[index] ?? 0, MULTIPLIERS[index + 1] ?? 0];
  const [fromA, fromB] = [OFFSETS[index] ?? 0, OFFSETS[index + 1] ?? 0];
  let [leastA, leastB] = [0x7fffffff, 0x7fffffff];
  for (let at = 0; at < shingles.length; at++) {
    const shingle = shingles[at] ?? 0;
    leastA = Math.min(leastA, (Math.imul(shingle, a) + fromA) | 0);
    leastB = Math.min(leastB, (Math.imul(shingle, b) + fromB) | 0);
  }
  return [leastA, leastB];
}

/** A shorter text is hashed as a whole. */
function hashShingles({ units, ends }: Words): Int32Array {
  if (ends.length < SHINGLE_WORDS) return Int32Array.of(hashUnits(units, 0, units.length));
  const shingles = new Int32Array(ends.length - SHINGLE_WORDS + 1);
  for (let at = 0; at < shingles.length; at++) {
    const from = at === 0 ? 0 : (ends[at - 1] ?? 0) + 1;
    shingles[at] = hashUnits(units, from, ends[at + SHINGLE_WORDS - 1] ?? 0);
  }
  return shingles;
}

/** Estimates the share of common runs of words of two texts, 0 to 1, within about 0.09. */
export function overlap(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) return 0;
  let equal = 0;
  for (let at = 0; at + 4 <= a.length; at += 4)
    if (a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2] && a[at + 3] === b[at + 3])
      equal++;
  return equal / (a.length / 4);
}
