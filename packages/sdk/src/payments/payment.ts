import { type Share, splitAmount } from '@colophon/model';
import { type Address, type Hex, isAddress, zeroAddress } from 'viem';
import { PaymentError } from './payment-error.js';

/** One transaction for somebody else to sign and send: nothing here holds a key. `value` is in wei. */
export interface Call {
  to: Address;
  value: bigint;
  data: Hex;
}

/** Whom to pay, and how large a share each has; shares need not sum to any total. */
export type PaidShare = Pick<Share, 'entityId' | 'share'> & { wallet?: string | undefined };

/** What an entity is to get. */
export interface Payee {
  entityId: string;
  wallet: Address;
  amount: bigint;
}

/**
 * An amount, in the smallest unit of its currency, among those who share it: exactly all of it, without dust. Who gets 0
 * is left out. Two entities of one wallet are listed apart.
 *
 * Throws PaymentError `MissingWallet` or `InvalidAddress` when somebody who would get something cannot be paid, so that
 * nobody is passed over in silence; DistributionError as `splitAmount` of the model does.
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
    throw new PaymentError('MissingWallet', `No wallet is known of ${without.join(', ')}.`, without);
  return paid.map(({ entityId, wallet = '', amount: part }) => ({
    entityId,
    wallet: requireAddress(wallet, entityId),
    amount: part,
  }));
}

/** The address. Throws PaymentError `InvalidAddress` for what is none, is nobody's, or has a wrong checksum (EIP-55). */
export function requireAddress(text: string, entityId: string): Address {
  if (isAddress(text) && text !== zeroAddress) return text;
  throw new PaymentError('InvalidAddress', `The wallet of ${entityId} is no address: ${text}.`, [entityId]);
}
