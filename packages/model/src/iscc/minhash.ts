import { MINHASH_FACTORS, MINHASH_OFFSETS } from './minhash-coefficients.js';
import { packBits } from './pack-bits.js';

const DIMENSIONS = MINHASH_FACTORS.length;
const WORD = 0x1_0000_0000;
const PER_WORD = 1 / WORD;

/** The minimum of each of 64 permutations, over features that arrive one after the other. */
export interface Minhash {
  /** `feature`: an unsigned integer of 32 bits. */
  add(feature: number): void;
  /** 256 bits: the lowest bit of each minimum, then the second, third and fourth bit of each. */
  digest(): Uint8Array;
}

/** 32 bits of each 64-bit value. */
const lowWords = (values: readonly bigint[]) =>
  Float64Array.from(values, (value) => Number(value & 0xffff_ffffn));
const highWords = (values: readonly bigint[]) => Int32Array.from(values, (value) => Number(value >> 32n));

/**
 * A permutation yields the low 32 bits of `((factor * feature + offset) mod 2^64) mod (2^61 - 1)`. With halves of 16
 * bits, a JavaScript number represents each step exactly. BigInt would be many times slower.
 */
export function createMinhash(): Minhash {
  const [factorLow, factorHigh] = [lowWords(MINHASH_FACTORS), highWords(MINHASH_FACTORS)];
  const [offsetLow, offsetHigh] = [lowWords(MINHASH_OFFSETS), highWords(MINHASH_OFFSETS)];
  const minima = new Uint32Array(DIMENSIONS).fill(WORD - 1);
  return {
    add(feature) {
      const [right, left] = [feature & 0xffff, feature >>> 16];
      for (let at = 0; at < DIMENSIONS; at++) {
        const factor = factorLow[at] ?? 0;
        const rightSum = factor * right + (offsetLow[at] ?? 0);
        const leftProduct = factor * left;
        const lowSum = (rightSum >>> 0) + (leftProduct & 0xffff) * 0x1_0000;
        const carry =
          Math.floor(rightSum * PER_WORD) +
          Math.floor(leftProduct / 0x1_0000) +
          Math.floor(lowSum * PER_WORD);
        const high = ((carry | 0) + Math.imul(factorHigh[at] ?? 0, feature) + (offsetHigh[at] ?? 0)) >>> 0;
        const value = reduce(high, lowSum >>> 0);
        if (value < (minima[at] ?? 0)) minima[at] = value;
      }
    },
    digest() {
      const bits = [0, 1, 2, 3].flatMap((place) => Array.from(minima, (value) => (value >>> place) & 1));
      return packBits(bits);
    },
  };
}

/** The low 32 bits modulo 2^61 - 1: the upper 3 bits are added to the lower 61 bits. */
function reduce(high: number, low: number): number {
  const sum = low + (high >>> 29);
  const exceeds = (high & 0x1fff_ffff) === 0x1fff_ffff && sum >= WORD - 1;
  return (exceeds ? sum + 1 : sum) >>> 0;
}
