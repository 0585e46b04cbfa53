import { insertTransaction, listOpenNonces, type OpenAnchor, type StoredTransaction } from './anchors.sql.js';
import { ChainTrouble, type Fees } from './chain.js';
import { asLeader } from './lead.js';
import type { AnchoringNeeds } from './needs.js';

/** Gas beyond the estimate: one that runs out is paid for nothing. */
const GAS_PERCENT = 125n;
/** What nodes ask of a transaction that replaces another, and a little more. */
const BUMP_PERMILLE = 1_130n;
/** A fee this many times the current one is not what a transaction waits for. */
const MAX_TIMES_CURRENT = 4n;

/** Signs the anchor's first transaction, or one with a new nonce; stores it, then sends it. */
export async function sendAnew(needs: AnchoringNeeds, anchor: OpenAnchor): Promise<void> {
  const open = await readOpenNonces(needs);
  let nonce = await needs.chain.readNonce('pending');
  while (open.has(nonce)) nonce++;
  await signStoreSend(needs, anchor, { nonce, ...(await needs.chain.readFees()) });
}

/**
 * Whether the account's next nonce is below this one and nobody sends it: a transaction was dropped that is not sent
 * again, such as one of a former registry, of another program, or in a block that was final and was replaced.
 */
export async function hasGapBelow(needs: AnchoringNeeds, nonce: number): Promise<boolean> {
  const next = await needs.chain.readNonce('pending');
  return next < nonce && !(await readOpenNonces(needs)).has(next);
}

function readOpenNonces({ provenance, registry, chain }: AnchoringNeeds): Promise<ReadonlySet<number>> {
  return listOpenNonces(provenance, registry, chain.account);
}

/** Replaces a transaction by one with the same nonce and a higher fee, unless its fee is high enough. */
export async function sendWithHigherFee(
  needs: AnchoringNeeds,
  anchor: OpenAnchor,
  stuck: StoredTransaction,
): Promise<void> {
  const current = await needs.chain.readFees();
  const fees = {
    maxFeeWei: most(bump(stuck.maxFeeWei), current.maxFeeWei),
    priorityFeeWei: most(bump(stuck.priorityFeeWei), current.priorityFeeWei),
  };
  if (fees.maxFeeWei > MAX_TIMES_CURRENT * current.maxFeeWei) return;
  needs.counts.replacements++;
  await signStoreSend(needs, anchor, { nonce: stuck.nonce, ...fees });
}

async function signStoreSend(
  needs: AnchoringNeeds,
  anchor: OpenAnchor,
  terms: Fees & { nonce: number },
): Promise<void> {
  const { chain, counts } = needs;
  const gas = ((await chain.estimateGas(anchor)) * GAS_PERCENT) / 100n;
  await assertFunds(needs, gas * terms.maxFeeWei);
  const signed = await chain.sign(anchor, { ...terms, gas });
  await asLeader(needs, (tx) =>
    insertTransaction(tx, { anchorId: anchor.id, signed, account: chain.account }),
  );
  counts.transactions++;
  await chain.send(signed.raw);
}

async function assertFunds({ chain }: AnchoringNeeds, costWei: bigint): Promise<void> {
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
