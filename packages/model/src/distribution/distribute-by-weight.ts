import { DistributionError } from './distribution-error.js';
import { type Recipient, requireWeight, walletsOf, weigh } from './recipients.js';
import { DEFAULT_TOTAL, requireTotal, type Shares, toShares } from './shares.js';

/**
 * Distributes `total` units in proportion to weights, by the method of the largest remainder in exact integers. The
 * shares sum to exactly the total. `total` is an integer from 1 to 2^53 - 1; the default is 10000 (basis points).
 *
 * - A weight is a number, a bigint, a decimal (`"12.5"`) or a fraction (`"1/3"`) of at least 0. Only ratios matter.
 * - An entity that occurs several times gets one share, by the sum of its weights.
 * - Units that remain after rounding down go, one each, to the largest remainders. Equal remainders are ordered by
 *   entity id in code-point order. The order of the recipients does not matter.
 * - Without any weight, all recipients have the same weight, and `defaultUsed` is true. If any recipient has a
 *   weight, recipients without one have the weight 0.
 * - Shares of 0 are listed too. `withoutWallet` lists the entities with a share above 0 and no wallet. They keep their
 *   share.
 *
 * Throws `DistributionError`: `InvalidWeight`, `InvalidTotal`, `ConflictingWallets`, `TooPrecise`, and
 * `NothingToShare` when there is no recipient or all weights are 0.
 *
 * @example
 * const { shares } = distributeByWeight([{ entityId: 'ann', weight: '1/3' }, { entityId: 'bo', weight: '2/3' }]);
 * shares.map(({ share }) => share); // => [6667, 3333]
 * distributeByWeight([{ entityId: 'ann' }], { total: 7 }).defaultUsed; // => true
 */
export function distributeByWeight(
  recipients: readonly Recipient[],
  { total = DEFAULT_TOTAL }: { total?: number | undefined } = {},
): Shares {
  const units = requireTotal(total);
  const valued = recipients.map(({ entityId, weight }) => ({
    entityId,
    weight: weight === undefined ? undefined : requireWeight(weight, entityId),
  }));
  const { weights, defaultUsed } = weigh(valued);
  const { allocated, ...shared } = toShares(units, weights, walletsOf(recipients));
  if (allocated === 0) throw new DistributionError('NothingToShare', 'No recipient has a weight above 0.');
  return { ...shared, allocated, defaultUsed };
}
