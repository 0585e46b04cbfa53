import { hashText } from './describe-text.js';

const HASHES = 128;
const SHINGLE_WORDS = 3;
const MULTIPLIERS = Array.from({ length: HASHES }, (_, index) => hashText(`a${index}`) | 1);
const OFFSETS = Array.from({ length: HASHES }, (_, index) => hashText(`b${index}`));

/**
 * MinHash of a text's runs of 3 words (Broder 1997), 128 numbers of 32 bits, big-endian: the share of equal numbers
 * of two texts estimates the share of runs that they have in common.
 */
export function minHash(words: readonly string[]): Uint8Array {
  const least = new Uint32Array(HASHES).fill(0xffffffff);
  for (let at = 0; at + SHINGLE_WORDS <= Math.max(words.length, SHINGLE_WORDS); at++) {
    const shingle = hashText(words.slice(at, at + SHINGLE_WORDS).join(' '));
    for (let index = 0; index < HASHES; index++) {
      const value = (Math.imul(shingle, MULTIPLIERS[index] ?? 1) + (OFFSETS[index] ?? 0)) >>> 0;
      if (value < (least[index] ?? 0)) least[index] = value;
    }
  }
  const bytes = Buffer.alloc(HASHES * 4);
  for (const [index, value] of least.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** The share of runs of words that two texts have in common, 0 to 1, estimated within about 0.09. */
export function overlap(a: Uint8Array, b: Uint8Array): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  if (one.length !== other.length || one.length === 0) return 0;
  let equal = 0;
  for (let at = 0; at < one.length; at += 4) if (one.readUInt32BE(at) === other.readUInt32BE(at)) equal++;
  return equal / (one.length / 4);
}
