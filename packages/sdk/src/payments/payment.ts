import { type Share, splitAmount } from '@colophon/model';
import { type Address, type Hex, isAddress, zeroAddress } from 'viem';
import { PaymentError } from './payment-error.js';

/** One transaction for the caller to sign and send; this module holds no key. `value` is in wei. */
export interface Call {
  to: Address;
  value: bigint;
  data: Hex;
}

/** A recipient and its share; shares may have any sum. */
export type PaidShare = Pick<Share, 'entityId' | 'share'> & { wallet?: string | undefined };

/** The payment of one entity. */
export interface Payee {
  entityId: string;
  wallet: Address;
  amount: bigint;
}

/**
 * Splits an amount, in the smallest unit of its currency, by shares: exactly all of it, without dust. Entities with 0
 * are left out. Two entities with the same wallet are listed separately.
 *
 * Throws PaymentError `MissingWallet` or `InvalidAddress` when an entity with an amount cannot be paid, so that no
 * entity is skipped silently. Throws DistributionError like `splitAmount` of the model.
 *
 * @example
 * const wallet = `0x${'a1'.repeat(20)}`;
 * const shares = [{ entityId: 'ann', share: 9999, wallet }, { entityId: 'bo', share: 1, wallet }, { entityId: 'cy', share: 0 }];
 * splitPayment(100n, shares).map(({ entityId, amount }) => [entityId, amount]); // => [['ann', 100n]]
 */
export function splitPayment(amount: bigint, shares: readonly PaidShare[]): Payee[] {
  const paid = splitAmount(amount, shares).filter((share) => share.amount > 0n);
  const without = paid.filter(({ wallet }) => wallet === undefined).map(({ entityId }) => entityId);
  if (without.length > 0)
    throw new PaymentError(
      'MissingWallet',
      `No wallet is stored for ${without.join(', ')}. Add a wallet to each entity.`,
      without,
    );
  return paid.map(({ entityId, wallet = '', amount: part }) => ({
    entityId,
    wallet: requireAddress(wallet, entityId),
    amount: part,
  }));
}

/**
 * Parses an address. Throws PaymentError `InvalidAddress` for another text, the zero address, and a wrong checksum
 * (EIP-55).
 */
export function requireAddress(text: string, entityId: string): Address {
  if (isAddress(text) && text !== zeroAddress) return text;
  throw new PaymentError('InvalidAddress', `The wallet of ${entityId} is not a valid address: ${text}.`, [
    entityId,
  ]);
}
