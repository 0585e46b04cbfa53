import { DistributionError } from './distribution-error.js';
import { greatestCommonDivisor, type Rational } from './rational.js';

/** Longest integer of a computation, in bits, and the limit for all integers of one computation together (64 MiB). */
const MAX_BITS = 2 ** 17;
const MAX_BITS_TOGETHER = 2 ** 29;

/** Throws before a computation whose `count` integers have too many bits. */
export function assertPrecision(bits: number, count: number): void {
  if (bits <= MAX_BITS && bits * count <= MAX_BITS_TOGETHER) return;
  throw new DistributionError(
    'TooPrecise',
    `The exact weights take ${bits} bits each, ${count} times. Use a smaller depth, or weights and a decay with fewer digits.`,
  );
}

/** Length of a number of at least 0 in binary digits, rounded up to whole hex digits. */
export function bitsOf(value: bigint): number {
  return value.toString(16).length * 4;
}

/** The smallest number that all of these divide. Throws when it is too long. */
export function leastCommonMultiple(denominators: Iterable<bigint>): bigint {
  let common = 1n;
  for (const denominator of new Set(denominators)) {
    if (common % denominator === 0n) continue;
    common *= denominator / greatestCommonDivisor(denominator, common % denominator);
    assertPrecision(bitsOf(common), 1);
  }
  return common;
}

/** Integers in the same proportions as the fractions. */
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
