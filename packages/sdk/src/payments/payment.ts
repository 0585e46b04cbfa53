import { type Share, splitAmount } from '@colophon/model';
import { type Address, type Hex, isAddress, zeroAddress } from 'viem';
import { PaymentError } from './payment-error.js';

/** A transaction that the caller signs and sends; this module has no keys. `value` is in wei. */
export interface Call {
  to: Address;
  value: bigint;
  data: Hex;
}

/** A recipient and its share. The shares can have any sum. */
export type PaidShare = Pick<Share, 'entityId' | 'share'> & { wallet?: string | undefined };

/** The amount and address of one entity. */
export interface Payee {
  entityId: string;
  wallet: Address;
  amount: bigint;
}

/**
 * Splits an amount, in the smallest unit of its currency, by shares. The parts sum to exactly the amount. Entities with
 * an amount of 0 are left out. Two entities with the same wallet are listed separately.
 *
 * Throws PaymentError `MissingWallet` or `InvalidAddress` when an entity with an amount cannot be paid. Throws
 * DistributionError like `splitAmount` (`@colophon/model`).
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

/** Rejects a text that is not an address, the zero address, and a wrong checksum (EIP-55). */
function requireAddress(text: string, entityId: string): Address {
  if (isAddress(text) && text !== zeroAddress) return text;
  throw new PaymentError('InvalidAddress', `The wallet of ${entityId} is not a valid address: ${text}.`, [
    entityId,
  ]);
}
