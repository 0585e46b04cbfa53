import { normalise } from '../vector.js';

const DIMENSIONS = 512;
const GRAM_LENGTH = 5;
/** A text of fewer words is too short to be told from others. */
const MIN_WORDS = 20;

/** Words of a text: letters and digits in lower case (Unicode NFKC), without marks. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return plain === '' ? [] : plain.split(' ');
}

/** Whether there are enough words to describe. */
export function isLongEnough(words: readonly string[]): boolean {
  return words.length >= MIN_WORDS;
}

/**
 * A text as a unit vector of 512 numbers, from its runs of 5 characters, its words and pairs of words, each hashed to
 * a place and a sign. Lexical: another wording or language of the same is another vector.
 */
export function describeWords(words: readonly string[]): Float32Array {
  const counts = new Map<number, number>();
  const count = (feature: string) => {
    const key = hashText(feature);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const plain = words.join(' ');
  for (let at = 0; at + GRAM_LENGTH <= plain.length; at++) count(plain.slice(at, at + GRAM_LENGTH));
  for (const [index, word] of words.entries()) {
    count(`w${word}`);
    const next = words[index + 1];
    if (next !== undefined) count(`b${word} ${next}`);
  }
  const vector = new Float64Array(DIMENSIONS);
  for (const [key, times] of counts) {
    const sign = (key >>> 20) & 1 ? 1 : -1;
    const place = key % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + sign * (1 + Math.log(times));
  }
  return Float32Array.from(normalise(vector, 1));
}

/** 32 bits of a text: FNV-1a over its UTF-16 units, mixed as murmur3 ends. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
