import { isSameWallet } from '../evm-address.js';
import { toIntegers } from './common-denominator.js';
import { DistributionError } from './distribution-error.js';
import { type Exact, parseRational, type Rational } from './rational.js';

/** Somebody who may get a share. */
export interface Recipient {
  entityId: string;
  /** As recorded: a number, or a decimal or fraction as text. */
  weight?: Exact | undefined;
  /** Blockchain address. */
  wallet?: string | undefined;
}

/** The whole weight of each entity, as integers in their proportions; by entity id. */
export interface Weighing {
  weights: Map<string, bigint>;
  /** Nobody had a weight, so that all weigh the same. */
  defaultUsed: boolean;
}

/**
 * Weighs entities, each of which may stand several times: its weights are added up. When one weight at least is given,
 * who has none weighs 0; when none is, all weigh the same.
 */
export function weigh(recipients: readonly { entityId: string; weight?: Rational | undefined }[]): Weighing {
  const defaultUsed = recipients.every(({ weight }) => weight === undefined);
  if (defaultUsed) return { weights: new Map(recipients.map(({ entityId }) => [entityId, 1n])), defaultUsed };
  const integers = toIntegers(recipients.map(({ weight }) => weight ?? { numerator: 0n, denominator: 1n }));
  const weights = new Map<string, bigint>();
  for (const [index, { entityId }] of recipients.entries())
    weights.set(entityId, (weights.get(entityId) ?? 0n) + (integers[index] ?? 0n));
  return { weights, defaultUsed };
}

/** The value of a weight; refused when it is none. */
export function requireWeight(weight: Exact, entityId: string): Rational {
  const value = parseRational(weight);
  if (value !== undefined) return value;
  const shown = String(weight).slice(0, 100);
  throw new DistributionError(
    'InvalidWeight',
    `The weight ${shown} of ${entityId} is no number of at least 0, decimal or fraction.`,
  );
}

/** The wallet of each entity that has one; refused when one has two. */
export function walletsOf(
  owners: Iterable<{ entityId: string; wallet?: string | undefined }>,
): Map<string, string> {
  const wallets = new Map<string, string>();
  for (const { entityId, wallet } of owners) {
    if (wallet === undefined) continue;
    if (!isSameWallet(wallets.get(entityId) ?? wallet, wallet))
      throw new DistributionError('ConflictingWallets', `${entityId} is named with two wallets.`);
    wallets.set(entityId, wallet);
  }
  return wallets;
}
