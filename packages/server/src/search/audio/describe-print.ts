import { hashText } from '../text/hash-units.js';
import { normalise } from '../vector.js';

const DIMENSIONS = 512;
/** Minimum number of values. A fingerprint has about eight values a second. */
const MIN_VALUES = 40;
/** Minimum number of different values. Silence and tones repeat a few values. */
const MIN_DISTINCT = 8;

export function isTelling(print: Uint32Array): boolean {
  return print.length >= MIN_VALUES && new Set(print).size >= MIN_DISTINCT;
}

/**
 * Describes a Chromaprint fingerprint as a unit vector of 512 numbers. The time of a value in the sound has no effect.
 */
export function describePrint(print: Uint32Array): Float32Array {
  const counts = new Map<string, number>();
  const count = (feature: string) => counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const value of print) {
    for (const half of [0, 1]) count(`h${half}:${(value >>> (half * 16)) & 0xffff}`);
    for (const byte of [0, 1, 2, 3]) count(`b${byte}:${(value >>> (byte * 8)) & 0xff}`);
  }
  const vector = new Float64Array(DIMENSIONS);
  for (const [feature, times] of counts) {
    const key = hashText(feature);
    const place = key % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + ((key >>> 20) & 1 ? 1 : -1) * Math.sqrt(times);
  }
  return Float32Array.from(normalise(vector, 1));
}

export function toPrintBytes(print: Uint32Array): Uint8Array {
  const bytes = Buffer.alloc(print.length * 4);
  for (const [index, value] of print.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Returns the share of equal bits of two fingerprints in their best alignment, from 0 to 1. */
export function printAgreement(a: Uint8Array, b: Uint8Array): number {
  const [one, other] = [fromPrintBytes(a), fromPrintBytes(b)];
  const least = Math.max(MIN_VALUES / 2, Math.min(one.length, other.length) / 2);
  let best = 0;
  for (let shift = least - one.length; shift <= other.length - least; shift++) {
    best = Math.max(best, agreementAt(one, other, Math.ceil(shift)));
  }
  return best;
}

function agreementAt(one: Uint32Array, other: Uint32Array, shift: number): number {
  const [from, to] = [Math.max(0, -shift), Math.min(one.length, other.length - shift)];
  let differing = 0;
  for (let index = from; index < to; index++)
    differing += countBits((one[index] ?? 0) ^ (other[index + shift] ?? 0));
  return to <= from ? 0 : 1 - differing / (32 * (to - from));
}

function fromPrintBytes(bytes: Uint8Array): Uint32Array {
  const buffer = Buffer.from(bytes);
  return Uint32Array.from({ length: Math.floor(buffer.length / 4) }, (_, index) =>
    buffer.readUInt32BE(index * 4),
  );
}

function countBits(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
