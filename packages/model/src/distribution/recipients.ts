import { isSameWallet } from '../evm-address.js';
import { toIntegers } from './common-denominator.js';
import { DistributionError } from './distribution-error.js';
import { type Exact, parseRational, type Rational } from './rational.js';

/** An entity that can get a share. */
export interface Recipient {
  entityId: string;
  /** The recorded weight: a number, or a decimal or fraction as text. */
  weight?: Exact | undefined;
  /** The blockchain address of the entity. */
  wallet?: string | undefined;
}

/** `weights`: sums by entity id, as integers in the same proportions. */
export interface Weighing {
  weights: Map<string, bigint>;
  /** No entity has a weight, so all weights are equal. */
  defaultUsed: boolean;
}

/** Adds up the weights of each entity. If any weight exists, entities without one have the weight 0. */
export function weigh(recipients: readonly { entityId: string; weight?: Rational | undefined }[]): Weighing {
  const defaultUsed = recipients.every(({ weight }) => weight === undefined);
  if (defaultUsed) return { weights: new Map(recipients.map(({ entityId }) => [entityId, 1n])), defaultUsed };
  const integers = toIntegers(recipients.map(({ weight }) => weight ?? { numerator: 0n, denominator: 1n }));
  const weights = new Map<string, bigint>();
  for (const [index, { entityId }] of recipients.entries())
    weights.set(entityId, (weights.get(entityId) ?? 0n) + (integers[index] ?? 0n));
  return { weights, defaultUsed };
}

/** Throws `InvalidWeight`. */
export function requireWeight(weight: Exact, entityId: string): Rational {
  const value = parseRational(weight);
  if (value !== undefined) return value;
  const shown = String(weight).slice(0, 100);
  throw new DistributionError(
    'InvalidWeight',
    `The weight ${shown} of ${entityId} is not a number, decimal or fraction of at least 0.`,
  );
}

/** Throws `ConflictingWallets` when an entity has two different wallets. */
export function walletsOf(
  owners: Iterable<{ entityId: string; wallet?: string | undefined }>,
): Map<string, string> {
  const wallets = new Map<string, string>();
  for (const { entityId, wallet } of owners) {
    if (wallet === undefined) continue;
    if (!isSameWallet(wallets.get(entityId) ?? wallet, wallet))
      throw new DistributionError(
        'ConflictingWallets',
        `${entityId} has two different wallets. Send one wallet for each entity.`,
      );
    wallets.set(entityId, wallet);
  }
  return wallets;
}
