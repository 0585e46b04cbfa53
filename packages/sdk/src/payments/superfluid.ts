import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';
import { PaymentError } from './payment-error.js';

/** Address of `CFAv1Forwarder`, which is the same on every network that Superfluid supports. */
export const CFA_FORWARDER: Address = '0xcfA132E353cB4E398080B9700609bb008eceB125';

/** So large that every share above 0 gets a part above 0. */
const WITHOUT_ROUNDING = 2n ** 255n;

/** Maximum flow rate of one stream: int96. */
const MAX_FLOW_RATE = 2n ** 95n - 1n;

const forwarderAbi = parseAbi([
  'function setFlowrate(address token, address receiver, int96 flowrate) returns (bool)',
]);

/** Streams of money. Rates are in the smallest unit of a super token per second. */
export interface Flows {
  /** Address of the super token contract. */
  token: Address;
  /** The sum of the rates of all streams; 0 ends the streams. */
  totalFlowRate: bigint;
  shares: readonly PaidShare[];
  /** Address of another forwarder contract. */
  forwarder?: Address;
}

/**
 * Builds one call for each wallet with a flow rate above 0. Each call sets the stream from the sender of the
 * transaction to the wallet. The flow rates sum to exactly `totalFlowRate`. For a `totalFlowRate` of 0, builds one call
 * for each wallet of an entity with a share above 0. Each of these calls ends the stream to the wallet.
 *
 * Throws PaymentError `InvalidAmount` for a flow rate above the maximum of int96, and the errors of `splitPayment`.
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
    throw new PaymentError('InvalidAmount', 'A flow rate exceeds the maximum of int96.');
  return [...rates.values()].map(({ wallet, rate }) => ({
    to: forwarder,
    value: 0n,
    data: encodeFunctionData({ abi: forwarderAbi, functionName: 'setFlowrate', args: [token, wallet, rate] }),
  }));
}
