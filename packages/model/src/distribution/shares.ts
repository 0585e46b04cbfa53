import * as z from 'zod';
import { nameField } from '../records/json-fields.js';
import { compareCodePoints } from './code-point-order.js';
import { DistributionError } from './distribution-error.js';
import { largestRemainder } from './largest-remainder.js';

/** The default total: 10000 basis points. */
export const DEFAULT_TOTAL = 10_000;

const units = z.int().nonnegative();

const shareSchema = z.object({
  entityId: z.string(),
  share: units.meta({ description: 'Units of the total; can be 0' }),
  wallet: nameField(256).optional(),
});

/** Schema of the shares of a total. See `distributeByWeight`. */
export const sharesSchema = z
  .object({
    total: units.meta({ description: 'Units to distribute', examples: [DEFAULT_TOTAL] }),
    allocated: units.meta({
      description: 'Sum of the shares: the total, or 0 when no recipient has a weight above 0',
    }),
    defaultUsed: z.boolean().meta({
      description:
        'True when weights were missing, so the service used equal weights. With `weights` in the request, all recipients have equal weights. With a bundle, the creators of each content without weights have equal weights.',
    }),
    shares: z.array(shareSchema).meta({ description: 'Each entity once, the largest share first' }),
    withoutWallet: z.array(z.string()).meta({
      description: 'Entities with a share above 0 and without a wallet; they keep their share',
    }),
  })
  .meta({ id: 'Shares' });

/** The share of one entity. */
export type Share = z.output<typeof shareSchema>;
/** Shares of a total. */
export type Shares = z.output<typeof sharesSchema>;

/** Throws `InvalidTotal` unless the total is an integer from 1 to 2^53 - 1. */
export function requireTotal(total: number): bigint {
  if (Number.isSafeInteger(total) && total > 0) return BigInt(total);
  throw new DistributionError('InvalidTotal', `The total ${total} is not a whole number from 1 to 2^53 - 1.`);
}

/** Largest first, then in code-point order of the entity ids. Without a weight above 0, all shares are 0. */
export function toShares(
  total: bigint,
  weights: ReadonlyMap<string, bigint>,
  wallets: ReadonlyMap<string, string>,
): Pick<Shares, 'total' | 'allocated' | 'shares' | 'withoutWallet'> {
  const weighted = [...weights].map(([key, weight]) => ({ key, weight }));
  const hasWeight = weighted.some(({ weight }) => weight > 0n);
  const parts = hasWeight ? largestRemainder(total, weighted) : [];
  const shares = weighted.map(({ key: entityId }, index) => {
    const wallet = wallets.get(entityId);
    return { entityId, share: Number(parts[index] ?? 0n), ...(wallet === undefined ? {} : { wallet }) };
  });
  shares.sort((a, b) => b.share - a.share || compareCodePoints(a.entityId, b.entityId));
  return {
    total: Number(total),
    allocated: hasWeight ? Number(total) : 0,
    shares,
    withoutWallet: shares
      .filter(({ share, wallet }) => share > 0 && wallet === undefined)
      .map(({ entityId }) => entityId),
  };
}
