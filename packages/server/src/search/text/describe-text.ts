import { type Described, TEXT_METHOD } from '../descriptor.js';
import { normalise } from '../vector.js';
import { countFeatures } from './count-features.js';
import { minHash } from './min-hash.js';
import type { Words } from './words.js';

const DIMENSIONS = 512;
const MIN_WORDS = 20;

export function isLongEnough({ ends }: Words): boolean {
  return ends.length >= MIN_WORDS;
}

export function describeWords(words: Words): Described {
  const vector = vectorOf(words);
  return { method: TEXT_METHOD, vector, evidence: minHash(words), turned: [vector] };
}

/** Describes a text as a unit vector of 512 numbers, by its runs of 5 characters, its words and its pairs of words. */
function vectorOf(words: Words): Float32Array {
  const { keys, times } = countFeatures(words);
  const vector = new Float64Array(DIMENSIONS);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? 0;
    const count = times[index] ?? 1;
    const weight = count === 1 ? 1 : 1 + Math.log(count);
    const place = key & (DIMENSIONS - 1);
    vector[place] = (vector[place] ?? 0) + ((key >>> 20) & 1 ? weight : -weight);
  }
  return Float32Array.from(normalise(vector, 1));
}
