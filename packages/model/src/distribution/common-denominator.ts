import { DistributionError } from './distribution-error.js';
import { greatestCommonDivisor, type Rational } from './rational.js';

/** Maximum number of bits of one integer. */
const MAX_BITS = 2 ** 17;
/** Maximum number of bits of all integers of one computation (64 MiB). */
const MAX_BITS_TOGETHER = 2 ** 29;
/** Maximum number of bits of the integers of all lists of weights (16 MiB). */
const MAX_BITS_OF_LISTS = 2 ** 27;

/** Throws `TooPrecise` before a computation with too long integers. */
export function assertPrecision(bits: number, count: number): void {
  if (bits <= MAX_BITS && bits * count <= MAX_BITS_TOGETHER) return;
  throw new DistributionError(
    'TooPrecise',
    `The exact weights need ${count} integers of ${bits} bits, which exceeds the limit. Use a smaller depth, or weights and a decay with fewer digits.`,
  );
}

/**
 * Throws `TooPrecise` before the computation: a common divisor of long integers takes much longer than this estimate.
 */
export function assertPrecisionOfLists(lists: Iterable<readonly Rational[]>): void {
  let bits = 0;
  for (const fractions of lists) bits += fractions.length * estimateBits(fractions);
  if (bits <= MAX_BITS_OF_LISTS) return;
  throw new DistributionError(
    'TooPrecise',
    `The exact weights of all contents need integers of ${bits} bits together, which exceeds the limit of ${MAX_BITS_OF_LISTS}. Use a smaller depth, or weights with fewer digits.`,
  );
}

/** Returns an upper bound. The lengths of coprime denominators add up. */
function estimateBits(fractions: readonly Rational[]): number {
  const denominators = new Set(fractions.map(({ denominator }) => denominator));
  const largest = largestOf(denominators);
  let bits = bitsOf(largest) + bitsOf(largestOf(fractions.map(({ numerator }) => numerator)));
  for (const denominator of denominators) if (largest % denominator !== 0n) bits += bitsOf(denominator);
  return bits;
}

/** 1 when no value is above 1. */
function largestOf(values: Iterable<bigint>): bigint {
  let largest = 1n;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

/** Rounded up to a multiple of 4. */
export function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}

/** Throws `TooPrecise` above the limit. */
export function leastCommonMultiple(denominators: Iterable<bigint>): bigint {
  let common = 1n;
  for (const denominator of new Set(denominators)) {
    if (common % denominator === 0n) continue;
    common *= denominator / greatestCommonDivisor(denominator, common % denominator);
    assertPrecision(bitsOf(common), 1);
  }
  return common;
}

/** Returns integers in the same proportions. Throws `TooPrecise` when the common denominator is too long. */
export function toIntegers(fractions: readonly Rational[]): bigint[] {
  const common = leastCommonMultiple(fractions.map(({ denominator }) => denominator));
  if (common === 1n) return fractions.map(({ numerator }) => numerator);
  assertPrecision(bitsOf(common), fractions.length);
  const factors = new Map<bigint, bigint>();
  return fractions.map(({ numerator, denominator }) => {
    const factor = factors.get(denominator) ?? common / denominator;
    factors.set(denominator, factor);
    return numerator * factor;
  });
}
