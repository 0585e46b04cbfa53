import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';

/** The payment. The amount is in the smallest unit of the blockchain's own currency, or of an ERC-20 token. */
export interface DirectPayment {
  amount: bigint;
  shares: readonly PaidShare[];
  /** Address of an ERC-20 token contract. Absent for the blockchain's own currency. */
  token?: Address;
}

/**
 * Builds one transfer for each recipient with an amount above 0, in the order of the shares. The transferred amounts
 * sum to exactly `amount`. Throws the errors of `splitPayment`.
 *
 * @example
 * const wallet = `0x${'a1'.repeat(20)}`;
 * const calls = buildDirectPayment({ amount: 100n, shares: [{ entityId: 'ann', share: 1, wallet }] });
 * calls; // => [{ to: wallet, value: 100n, data: '0x' }]
 */
export function buildDirectPayment({ amount, shares, token }: DirectPayment): Call[] {
  return splitPayment(amount, shares).map(({ wallet, amount: part }) => {
    if (token === undefined) return { to: wallet, value: part, data: '0x' };
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet, part] });
    return { to: token, value: 0n, data };
  });
}
