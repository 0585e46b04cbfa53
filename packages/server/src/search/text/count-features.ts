import { hashUnits, startAfter } from './hash-units.js';
import type { Words } from './words.js';

const GRAM_LENGTH = 5;
const WORD = startAfter('w');
const PAIR = startAfter('b');
/** 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1 | 0;

/** The features of a text, in the order of their first occurrence. */
export interface FeatureCounts {
  keys: Int32Array;
  times: Uint32Array;
}

/** Counts the runs of 5 units, the words and the pairs of words of a text. */
export function countFeatures({ units, ends }: Words): FeatureCounts {
  const most = units.length + 2 * ends.length;
  const keys = new Int32Array(most);
  const times = new Uint32Array(most);
  const shift = Math.clz32(most);
  /** Open addressing. A slot contains the number of a feature, from 1. */
  const slots = new Int32Array(2 ** (33 - shift));
  const mask = slots.length - 1;
  let length = 0;

  function count(key: number): void {
    let slot = Math.imul(key, SPREAD) >>> (shift - 1);
    for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
      if (keys[number - 1] === key) {
        times[number - 1] = (times[number - 1] ?? 0) + 1;
        return;
      }
      slot = (slot + 1) & mask;
    }
    keys[length] = key;
    times[length] = 1;
    slots[slot] = ++length;
  }

  for (let at = 0; at + GRAM_LENGTH <= units.length; at++) count(hashUnits(units, at, at + GRAM_LENGTH));
  for (let word = 0, from = 0; word < ends.length; word++) {
    const end = ends[word] ?? 0;
    count(hashUnits(units, from, end, WORD));
    if (word + 1 < ends.length) count(hashUnits(units, from, ends[word + 1] ?? 0, PAIR));
    from = end + 1;
  }
  return { keys: keys.subarray(0, length), times: times.subarray(0, length) };
}
