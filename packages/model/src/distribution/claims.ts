import {
  assertPrecision,
  assertPrecisionOfLists,
  bitsOf,
  leastCommonMultiple,
} from './common-denominator.js';
import type { Credit } from './credits.js';
import type { Ancestor } from './lineage.js';
import { greatestCommonDivisor, type Rational } from './rational.js';
import { weigh } from './recipients.js';

/** The weights are integers without a common divisor above 1. */
export interface Claim extends Ancestor {
  basis: 'weights' | 'default' | 'nobody';
  weights: Map<string, bigint>;
  /** Sum of `weights`. */
  whole: bigint;
}

/** Numerators of fractions with one denominator, by entity id and then by CID. */
export type Earnings = Map<string, Map<string, bigint>>;

export const CONTRIBUTING_ROLES: readonly string[] = ['creator', 'contributor'];

/** The part that depends only on the credits. */
type Division = Pick<Claim, 'basis' | 'weights' | 'whole'>;

/**
 * Contents with the same credits share one computation. Throws `TooPrecise` before the computation when the weights
 * have too many digits.
 */
export function toClaims(
  ancestors: readonly Ancestor[],
  credits: ReadonlyMap<string, readonly Credit[]>,
): Claim[] {
  const toKey = createListKeys();
  const lists = new Map<string, readonly Credit[]>();
  const keys = ancestors.map(({ cid }) => {
    const list = credits.get(cid) ?? [];
    const key = toKey(list);
    lists.set(key, list);
    return key;
  });
  assertPrecisionOfLists([...lists.values()].map((list) => list.flatMap(({ weight }) => weight ?? [])));
  const divisions = new Map([...lists].map(([key, list]) => [key, divide(list)]));
  return ancestors.map((ancestor, index) => ({
    ...ancestor,
    ...(divisions.get(keys[index] ?? '') ?? divide([])),
  }));
}

/** Returns a function that returns the key of a list. Lists with equal keys have the same credits in the same order. */
function createListKeys(): (list: readonly Credit[]) => string {
  const numbers = new Map<Credit, number>();
  return (list) =>
    list
      .map((credit) => {
        const number = numbers.get(credit) ?? numbers.size;
        numbers.set(credit, number);
        return number;
      })
      .join();
}

/** Returns the credits with a weight above 0, or those of all creators if no credit has a weight. */
export function listEarning(credits: readonly Credit[]): Credit[] {
  const { hasWeights, counted } = selectCounted(credits);
  return hasWeights ? counted.filter(({ weight }) => (weight?.numerator ?? 0n) > 0n) : counted;
}

/**
 * If a credit has a weight, creators and contributors without one have the weight 0. If no credit has a weight, all
 * creators have the same weight.
 */
function divide(credits: readonly Credit[]): Division {
  const { hasWeights, counted } = selectCounted(credits);
  const { weights } = weigh(counted);
  const divisor = [...weights.values()].reduce(greatestCommonDivisor, 0n) || 1n;
  for (const [entityId, weight] of weights) weights.set(entityId, weight / divisor);
  const whole = sumOf(weights.values());
  const basis = hasWeights ? 'weights' : 'default';
  return { basis: whole === 0n ? 'nobody' : basis, weights, whole };
}

function selectCounted(credits: readonly Credit[]): { hasWeights: boolean; counted: Credit[] } {
  const hasWeights = credits.some(({ weight }) => weight !== undefined);
  const counted = credits.filter(({ role, weight }) =>
    hasWeights ? weight !== undefined || CONTRIBUTING_ROLES.includes(role) : role === 'creator',
  );
  return { hasWeights, counted };
}

/** Converts all weights to one denominator. The claims must be ordered nearest first. */
export function toEarnings(claims: readonly Claim[], decay: Rational): Earnings {
  const counted = claims.filter(({ whole }) => whole > 0n);
  const farthest = counted.at(-1)?.distance ?? 0;
  const common = leastCommonMultiple(counted.map(({ whole }) => whole));
  const count = counted.reduce((sum, { weights }) => sum + weights.size, 0);
  const bitsOfStep = decay.denominator === 1n ? 0 : decay.denominator.toString(2).length;
  assertPrecision(bitsOf(common) + farthest * bitsOfStep, count);
  const earnings: Earnings = new Map();
  let power = decay.denominator ** BigInt(farthest);
  let reached = 0;
  for (const { cid, distance, weights, whole } of claims) {
    for (; reached < distance && reached < farthest; reached++)
      power = (power / decay.denominator) * decay.numerator;
    const factor = whole === 0n ? 0n : power * (common / whole);
    for (const [entityId, weight] of weights) {
      const byContent = earnings.get(entityId) ?? new Map<string, bigint>();
      byContent.set(cid, weight * factor);
      earnings.set(entityId, byContent);
    }
  }
  return earnings;
}

export function sumOf(weights: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const weight of weights) sum += weight;
  return sum;
}
