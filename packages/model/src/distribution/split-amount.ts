import { DistributionError } from './distribution-error.js';
import { largestRemainder } from './largest-remainder.js';

/** Excluded. The limit of EVM tokens (uint256). */
const MAX_AMOUNT = 1n << 256n;

/**
 * Splits an amount of money, in the smallest unit of its currency, by shares. Returns each share with its `amount`,
 * in the order of the input. The amounts sum to exactly `amount`.
 *
 * The shares are integers of at least 0 with any sum. A share of 0 gets 0. Units that remain after rounding down go,
 * one each, to the largest remainders. Equal remainders are ordered by entity id in code-point order. Amounts of 0
 * are listed; the caller must skip them in a payment.
 *
 * Throws `DistributionError`: `InvalidAmount` (negative, or 2^256 and more), `InvalidShare` (negative, not an integer,
 * too large, or two shares of one entity), `NothingToShare` (no share above 0).
 *
 * @example
 * const shares = ['a', 'b', 'c'].map((entityId) => ({ entityId, share: 1 }));
 * splitAmount(10n, shares).map(({ amount }) => amount); // => [4n, 3n, 3n]
 */
export function splitAmount<Share extends { entityId: string; share: number | bigint }>(
  amount: bigint,
  shares: readonly Share[],
): (Share & { amount: bigint })[] {
  if (typeof amount !== 'bigint' || amount < 0n || amount >= MAX_AMOUNT)
    throw new DistributionError('InvalidAmount', `The amount ${amount} is not a bigint from 0 to 2^256 - 1.`);
  const weighted = shares.map(({ entityId, share }) => ({
    key: entityId,
    weight: requireShare(entityId, share),
  }));
  const seen = new Set<string>();
  for (const { key } of weighted) {
    if (seen.has(key))
      throw new DistributionError('InvalidShare', `${key} has two shares. Add them up to one share.`);
    seen.add(key);
  }
  if (!weighted.some(({ weight }) => weight > 0n))
    throw new DistributionError('NothingToShare', 'No share is above 0.');
  const amounts = largestRemainder(amount, weighted);
  return shares.map((share, index) => ({ ...share, amount: amounts[index] ?? 0n }));
}

function requireShare(entityId: string, share: number | bigint): bigint {
  const isWhole = typeof share === 'bigint' ? share < MAX_AMOUNT : Number.isSafeInteger(share);
  if (isWhole && share >= 0) return BigInt(share);
  throw new DistributionError(
    'InvalidShare',
    `The share ${share} of ${entityId} is not a safe integer of at least 0, or a bigint from 0 to 2^256 - 1.`,
  );
}
