import { compareCodePoints } from './code-point-order.js';

/** An item with a weight of at least 0. Keys must be unique. */
export interface Weighted {
  key: string;
  weight: bigint;
}

/**
 * Divides `total` into integers in proportion to the weights, in the order of the input. The integers sum to exactly
 * `total`.
 *
 * Each item gets its quota, `total * weight / sum of weights`, rounded down. The remaining units go, one each, to the
 * largest remainders (Hamilton's method). Equal remainders are ordered by key in code-point order. A weight of 0 gets
 * 0. The sum of the weights must be above 0, and `total` at least 0.
 *
 * @example
 * largestRemainder(100n, ['a', 'b', 'c'].map((key) => ({ key, weight: 1n }))); // => [34n, 33n, 33n]
 */
export function largestRemainder(total: bigint, weighted: readonly Weighted[]): bigint[] {
  let sum = 0n;
  for (const { weight } of weighted) sum += weight;
  const parts: bigint[] = [];
  const candidates: { index: number; key: string; remainder: bigint }[] = [];
  let leftOver = total;
  for (const [index, { key, weight }] of weighted.entries()) {
    const product = total * weight;
    const part = product / sum;
    const remainder = product - part * sum;
    parts.push(part);
    leftOver -= part;
    if (remainder > 0n) candidates.push({ index, key, remainder });
  }
  candidates.sort((a, b) => compareIntegers(b.remainder, a.remainder) || compareCodePoints(a.key, b.key));
  for (const { index } of candidates.slice(0, Number(leftOver))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

function compareIntegers(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
