import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';
import { PaymentError } from './payment-error.js';

/** 0xSplits version 1, `SplitMain`, as deployed on Ethereum, Optimism, Polygon, Arbitrum, Base and others. */
export const SPLIT_MAIN: Address = '0x2ed6c4B5dA6378c7897AC67Ba9e43102Feb694EE';

/** All of a split, in the contract's own unit. */
const PERCENTAGE_SCALE = 1_000_000n;

const splitMainAbi = parseAbi([
  'function createSplit(address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address controller) returns (address)',
  'function distributeETH(address split, address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address distributorAddress)',
  'function distributeERC20(address split, address token, address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address distributorAddress)',
]);

/** A split contract: who shares in it, and who may change it. */
export interface Split {
  shares: readonly PaidShare[];
  /** Who may change it; nobody unless given. */
  controller?: Address;
  /** What whoever distributes keeps, in millionths, 0 to 100,000; 0 unless given. */
  distributorFee?: number;
  /** Another `SplitMain`. */
  splitMain?: Address;
}

/** What a split holds and is to pay out. */
export interface SplitPayout extends Split {
  /** Address of the split contract. */
  split: Address;
  /** Contract of an ERC-20 token; absent for the chain's own currency. */
  token?: Address;
  /** Who gets the distributor's fee; whoever sends the transaction unless given. */
  distributor?: Address;
}

/**
 * The call that creates a split contract with these shares, in millionths that sum to exactly all. Entities of one wallet
 * share as one; who has nothing is left out. The answer of the call, or its event, tells the contract's address.
 *
 * Throws PaymentError `TooFewRecipients` with fewer than two wallets, which the contract refuses; else as `splitPayment`
 * does.
 *
 * @example
 * const [a, b] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(20)}`);
 * buildSplitCreation({ shares: [{ entityId: 'a', share: 1, wallet: a }, { entityId: 'b', share: 2, wallet: b }] }).value; // => 0n
 */
export function buildSplitCreation({ controller = zeroAddress, splitMain, ...split }: Split): Call {
  const { accounts, allocations, fee } = membersOf(split);
  return callOf(
    splitMain,
    encodeFunctionData({
      abi: splitMainAbi,
      functionName: 'createSplit',
      args: [accounts, allocations, fee, controller],
    }),
  );
}

/**
 * The call that pays out what a split contract holds; the shares are those that it was created with. Throws as
 * `buildSplitCreation` does.
 *
 * @example
 * const [a, b] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(20)}`);
 * const shares = [{ entityId: 'a', share: 1, wallet: a }, { entityId: 'b', share: 2, wallet: b }];
 * buildSplitPayout({ split: `0x${'c3'.repeat(20)}`, shares }).to === SPLIT_MAIN; // => true
 */
export function buildSplitPayout(payout: SplitPayout): Call {
  const { split, token, distributor = zeroAddress, splitMain } = payout;
  const { accounts, allocations, fee } = membersOf(payout);
  const rest = [accounts, allocations, fee, distributor] as const;
  const data =
    token === undefined
      ? encodeFunctionData({ abi: splitMainAbi, functionName: 'distributeETH', args: [split, ...rest] })
      : encodeFunctionData({
          abi: splitMainAbi,
          functionName: 'distributeERC20',
          args: [split, token, ...rest],
        });
  return callOf(splitMain, data);
}

function callOf(splitMain: Address | undefined, data: Call['data']): Call {
  return { to: splitMain ?? SPLIT_MAIN, value: 0n, data };
}

/** As the contract wants them: each account once, in ascending order. */
function membersOf({ shares, distributorFee: fee = 0 }: Pick<Split, 'shares' | 'distributorFee'>) {
  const parts = new Map<string, { account: Address; part: bigint }>();
  for (const { wallet, amount } of splitPayment(PERCENTAGE_SCALE, shares)) {
    const key = wallet.toLowerCase();
    parts.set(key, { account: wallet, part: (parts.get(key)?.part ?? 0n) + amount });
  }
  if (parts.size < 2) throw new PaymentError('TooFewRecipients', 'A split has at least two wallets.');
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
  return {
    accounts: sorted.map(({ account }) => account),
    allocations: sorted.map(({ part }) => Number(part)),
    fee,
  };
}
