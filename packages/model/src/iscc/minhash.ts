import { MINHASH_FACTORS, MINHASH_OFFSETS } from './minhash-coefficients.js';
import { packBits } from './pack-bits.js';

const DIMENSIONS = MINHASH_FACTORS.length;
const WORD = 0x1_0000_0000;

/** The minimum of each of 64 permutations over features that arrive one after the other. */
export interface Minhash {
  /** Adds a feature: an unsigned integer of 32 bits. */
  add(feature: number): void;
  /** Returns 256 bits: the lowest bit of the 64 minima, then the second, third and fourth. */
  digest(): Uint8Array;
}

/** A linear permutation `factor * feature + offset`, in words of 32 bits. */
interface Permutation {
  factorLow: number;
  factorHigh: number;
  offsetLow: number;
  offsetHigh: number;
}

/** Creates a minhash. Its memory does not grow with the number of features. */
export function createMinhash(): Minhash {
  const permutations = Array.from({ length: DIMENSIONS }, (_, at) => permutationAt(at));
  const minima = new Uint32Array(DIMENSIONS).fill(WORD - 1);
  return {
    add(feature) {
      for (let at = 0; at < DIMENSIONS; at++) {
        const permutation = permutations[at];
        if (permutation === undefined) continue;
        const value = permute(permutation, feature);
        if (value < (minima[at] ?? 0)) minima[at] = value;
      }
    },
    digest() {
      const bits = [0, 1, 2, 3].flatMap((place) => Array.from(minima, (value) => (value >>> place) & 1));
      return packBits(bits);
    },
  };
}

function permutationAt(at: number): Permutation {
  const [factor = 0n, offset = 0n] = [MINHASH_FACTORS[at], MINHASH_OFFSETS[at]];
  return {
    factorLow: Number(factor & 0xffff_ffffn),
    factorHigh: Number(factor >> 32n),
    offsetLow: Number(offset & 0xffff_ffffn),
    offsetHigh: Number(offset >> 32n),
  };
}

/**
 * Returns the low 32 bits of `((factor * feature + offset) mod 2^64) mod (2^61 - 1)`. Plain numbers hold every step
 * exactly, since the feature is split into halves of 16 bits. BigInt is many times slower.
 */
function permute({ factorLow, factorHigh, offsetLow, offsetHigh }: Permutation, feature: number): number {
  const lowProduct = factorLow * (feature & 0xffff) + offsetLow;
  const highProduct = factorLow * (feature >>> 16);
  const lowSum = (lowProduct % WORD) + (highProduct % 0x1_0000) * 0x1_0000;
  const carry =
    Math.floor(lowProduct / WORD) + Math.floor(highProduct / 0x1_0000) + Math.floor(lowSum / WORD);
  const high = ((carry % WORD) + (Math.imul(factorHigh, feature) >>> 0) + offsetHigh) % WORD;
  return reduce(high, lowSum % WORD);
}

/** Returns the low word of a 64-bit number modulo 2^61 - 1: its upper 3 bits are added to its lower 61 bits. */
function reduce(high: number, low: number): number {
  const sum = low + Math.floor(high / 0x2000_0000);
  const exceeds = high % 0x2000_0000 === 0x1fff_ffff && sum >= WORD - 1;
  return (exceeds ? sum + 1 : sum) % WORD;
}
