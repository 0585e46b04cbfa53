import { withLease } from '../platform/jobs/leader-loop.js';
import { insertTransaction, listOpenNonces, type OpenAnchor, type StoredTransaction } from './anchors.sql.js';
import { ChainTrouble, type Fees } from './chain.js';
import type { AnchoringDeps } from './deps.js';

/** Gas limit in percent of the estimate. A transaction that runs out of gas fails and still costs its fee. */
const GAS_PERCENT = 125n;
/** Factor of a raised fee, in thousandths. Most nodes require at least 1,100 for a replacement transaction. */
const BUMP_PERMILLE = 1_130n;
/**
 * Maximum fee of a replacement, as a multiple of the current fee. Above it, the fee is not why the transaction waits.
 */
const MAX_TIMES_CURRENT = 4n;

/** Signs a transaction with a new nonce, stores it, and then sends it. */
export async function resendTransaction(deps: AnchoringDeps, anchor: OpenAnchor): Promise<void> {
  const open = await readOpenNonces(deps);
  let nonce = await deps.chain.readNonce('pending');
  while (open.has(nonce)) nonce++;
  await signStoreSend(deps, anchor, { nonce, ...(await deps.chain.readFees()) });
}

/**
 * Whether no stored transaction of an open anchor has the account's next nonce, and this nonce is lower than `nonce`.
 * Blocks then cannot contain any later transaction of the account.
 */
export async function hasGapBelow(deps: AnchoringDeps, nonce: number): Promise<boolean> {
  const next = await deps.chain.readNonce('pending');
  return next < nonce && !(await readOpenNonces(deps)).has(next);
}

function readOpenNonces({ provenance, registry, chain }: AnchoringDeps): Promise<ReadonlySet<number>> {
  return listOpenNonces(provenance, registry, chain.account);
}

/** Does nothing if the higher fee would exceed `MAX_TIMES_CURRENT` times the current fee. */
export async function sendWithHigherFee(
  deps: AnchoringDeps,
  anchor: OpenAnchor,
  stuck: StoredTransaction,
): Promise<void> {
  const current = await deps.chain.readFees();
  const fees = {
    maxFeeWei: most(bump(stuck.maxFeeWei), current.maxFeeWei),
    priorityFeeWei: most(bump(stuck.priorityFeeWei), current.priorityFeeWei),
  };
  if (fees.maxFeeWei > MAX_TIMES_CURRENT * current.maxFeeWei) return;
  deps.counts.replacements++;
  await signStoreSend(deps, anchor, { nonce: stuck.nonce, ...fees });
}

async function signStoreSend(
  deps: AnchoringDeps,
  anchor: OpenAnchor,
  options: Fees & { nonce: number },
): Promise<void> {
  const { chain, counts } = deps;
  const gas = ((await chain.estimateGas(anchor)) * GAS_PERCENT) / 100n;
  await assertFunds(deps, gas * options.maxFeeWei);
  const signed = await chain.sign(anchor, { ...options, gas });
  await withLease(deps, (tx) =>
    insertTransaction(tx, { anchorId: anchor.id, signed, account: chain.account }),
  );
  counts.transactions++;
  await chain.send(signed.raw);
}

async function assertFunds({ chain }: AnchoringDeps, costWei: bigint): Promise<void> {
  const balanceWei = await chain.readBalanceWei();
  if (balanceWei >= costWei) return;
  throw new ChainTrouble(
    'insufficientFunds',
    `The wallet ${chain.account} has ${balanceWei} wei; an anchor may cost ${costWei} wei.`,
  );
}

function bump(wei: string): bigint {
  return (BigInt(wei) * BUMP_PERMILLE) / 1_000n + 1n;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
