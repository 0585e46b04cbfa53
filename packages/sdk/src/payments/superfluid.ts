import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';
import { PaymentError } from './payment-error.js';

/** Superfluid's `CFAv1Forwarder`, at the same address on every network that it supports. */
export const CFA_FORWARDER: Address = '0xcfA132E353cB4E398080B9700609bb008eceB125';

/** Large enough that every recipient with a share gets a part of it. */
const WITHOUT_ROUNDING = 2n ** 255n;

/** Largest flow of one stream: int96. */
const MAX_FLOW_RATE = 2n ** 95n - 1n;

const forwarderAbi = parseAbi([
  'function setFlowrate(address token, address receiver, int96 flowrate) returns (bool)',
]);

/** A stream of money: an amount for each second, in the smallest unit of a super token. */
export interface Flows {
  /** Contract of the super token. */
  token: Address;
  /** The sum of all streams; 0 ends them. */
  totalFlowRate: bigint;
  shares: readonly PaidShare[];
  /** Another forwarder. */
  forwarder?: Address;
}

/**
 * Builds one call for each recipient with an amount. It sets the stream from the sender of the transaction to the
 * recipient. The flows sum to exactly `totalFlowRate`. With a rate of 0, builds one call for each recipient with a
 * share and a wallet, which ends the stream.
 *
 * Throws PaymentError `InvalidAmount` for a flow beyond int96, and the errors of `splitPayment`.
 *
 * @example
 * const wallet = `0x${'a1'.repeat(20)}`;
 * const shares = [{ entityId: 'ann', share: 1, wallet }, { entityId: 'bo', share: 0, wallet }];
 * buildFlows({ token: `0x${'d4'.repeat(20)}`, totalFlowRate: 5n, shares }).length; // => 1
 */
export function buildFlows({ token, totalFlowRate, shares, forwarder = CFA_FORWARDER }: Flows): Call[] {
  const flows =
    totalFlowRate === 0n
      ? splitPayment(WITHOUT_ROUNDING, shares).map((payee) => ({ ...payee, amount: 0n }))
      : splitPayment(totalFlowRate, shares);
  const rates = new Map<string, { wallet: Address; rate: bigint }>();
  for (const { wallet, amount } of flows) {
    const key = wallet.toLowerCase();
    rates.set(key, { wallet, rate: (rates.get(key)?.rate ?? 0n) + amount });
  }
  if ([...rates.values()].some(({ rate }) => rate > MAX_FLOW_RATE))
    throw new PaymentError('InvalidAmount', 'A flow rate is larger than int96.');
  return [...rates.values()].map(({ wallet, rate }) => ({
    to: forwarder,
    value: 0n,
    data: encodeFunctionData({ abi: forwarderAbi, functionName: 'setFlowrate', args: [token, wallet, rate] }),
  }));
}
