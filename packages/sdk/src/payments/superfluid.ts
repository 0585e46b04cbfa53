import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';
import { PaymentError } from './payment-error.js';

/** Superfluid's `CFAv1Forwarder`, at the same address on every network that it supports. */
export const CFA_FORWARDER: Address = '0xcfA132E353cB4E398080B9700609bb008eceB125';

/** So much that whoever has a share at all gets something of it. */
const WITHOUT_ROUNDING = 2n ** 255n;

/** Largest flow of one stream: int96. */
const MAX_FLOW_RATE = 2n ** 95n - 1n;

const forwarderAbi = parseAbi([
  'function setFlowrate(address token, address receiver, int96 flowrate) returns (bool)',
]);

/** Money that flows: so much every second, in the smallest unit of a super token. */
export interface Flows {
  /** Contract of the super token. */
  token: Address;
  /** Of all streams together; 0 ends them. */
  totalFlowRate: bigint;
  shares: readonly PaidShare[];
  /** Another forwarder. */
  forwarder?: Address;
}

/**
 * One call for everybody who gets something, that sets the stream of whoever sends it to them; the flows sum to exactly
 * `totalFlowRate`. With a rate of 0, one call for everybody with a share and a wallet, that ends the stream.
 *
 * Throws PaymentError `InvalidAmount` for a flow beyond int96, else as `splitPayment` does.
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
