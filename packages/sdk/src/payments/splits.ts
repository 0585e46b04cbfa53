import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import { type Call, type PaidShare, splitPayment } from './payment.js';
import { PaymentError } from './payment-error.js';

/** Address of 0xSplits version 1, `SplitMain`, on Ethereum, Optimism, Polygon, Arbitrum, Base and other networks. */
export const SPLIT_MAIN: Address = '0x2ed6c4B5dA6378c7897AC67Ba9e43102Feb694EE';

/** 100 % of a split, in the unit of the contract. */
const PERCENTAGE_SCALE = 1_000_000n;

const splitMainAbi = parseAbi([
  'function createSplit(address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address controller) returns (address)',
  'function distributeETH(address split, address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address distributorAddress)',
  'function distributeERC20(address split, address token, address[] accounts, uint32[] percentAllocations, uint32 distributorFee, address distributorAddress)',
]);

/** A split contract: its recipients, its controller and its fee. */
export interface Split {
  shares: readonly PaidShare[];
  /** The account that can change the split; default: none. */
  controller?: Address;
  /** The distributor's fee in millionths, 0 to 100,000; default: 0. */
  distributorFee?: number;
  /** Address of another `SplitMain` contract. */
  splitMain?: Address;
}

/** A payout of a split. */
export interface SplitPayout extends Split {
  split: Address;
  /** Address of an ERC-20 token contract. Absent for the blockchain's own currency. */
  token?: Address;
  /** The account that gets the distributor's fee; default: the sender of the transaction. */
  distributor?: Address;
}

/**
 * Builds the call that creates a split contract with these shares. The shares are converted to millionths that sum to
 * exactly 1,000,000. Entities with the same wallet become one recipient. Entities that get 0 millionths are left out.
 * The return value of the call is the address of the new contract. The event that the call emits also has this address.
 *
 * Throws PaymentError `TooFewRecipients` for fewer than two wallets, which the contract rejects. Throws the errors
 * of `splitPayment`.
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
 * Builds the call that pays out the balance of a split contract. The shares and the fee must be the same as at
 * the creation of the contract. Throws the errors of `buildSplitCreation`.
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

/** The contract expects each account once, in ascending order. */
function membersOf({ shares, distributorFee: fee = 0 }: Pick<Split, 'shares' | 'distributorFee'>) {
  const parts = new Map<string, { account: Address; part: bigint }>();
  for (const { wallet, amount } of splitPayment(PERCENTAGE_SCALE, shares)) {
    const key = wallet.toLowerCase();
    parts.set(key, { account: wallet, part: (parts.get(key)?.part ?? 0n) + amount });
  }
  if (parts.size < 2)
    throw new PaymentError(
      'TooFewRecipients',
      'A split needs at least two wallets; pay a single one with buildDirectPayment.',
    );
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
  return {
    accounts: sorted.map(({ account }) => account),
    allocations: sorted.map(({ part }) => Number(part)),
    fee,
  };
}
