import type { IsccUnit } from './header.js';
import { simhash } from './simhash.js';

const WORD_BYTES = 4;

/**
 * Returns the Audio-Code of a sound. `fingerprint` is the Chromaprint fingerprint of the complete sound: signed or
 * unsigned 32-bit integers. The digest has 8 words: one for all integers, one for each quarter of the integers in their
 * time order, and one for each third of the sorted integers.
 */
export function audioUnit(fingerprint: Iterable<number>): IsccUnit {
  const values = Int32Array.from(fingerprint, (value) => value | 0);
  const sorted = Int32Array.from(values).sort();
  const parts = [values, ...divide(values, 4), ...divide(sorted, 3)];
  const digest = new Uint8Array(parts.length * WORD_BYTES);
  for (const [at, part] of parts.entries()) digest.set(simhash(wordsOf(part)), at * WORD_BYTES);
  return { mainType: 'content', medium: 'audio', digest };
}

/** With a remainder, the first parts are longer by one value. */
function divide(values: Int32Array, count: number): Int32Array[] {
  const size = Math.floor(values.length / count);
  const longer = values.length % count;
  const startOf = (part: number) => part * size + Math.min(part, longer);
  return Array.from({ length: count }, (_, part) => values.subarray(startOf(part), startOf(part + 1)));
}

function wordsOf(values: Int32Array): Uint8Array[] {
  return Array.from(values, (value) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value));
}
