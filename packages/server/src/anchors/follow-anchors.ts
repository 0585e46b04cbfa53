import { withLease } from '../platform/jobs/leader-loop.js';
import { noteFinal, noteMined, noteUnmined, type OpenAnchor, type StoredTransaction } from './anchors.sql.js';
import { ChainTrouble, type MinedTransaction } from './chain.js';
import type { AnchoringDeps } from './deps.js';
import { hasGapBelow, resendTransaction, sendWithHigherFee } from './send-anchor.js';

/** A loss of this state does no harm. */
export interface Sent {
  /** Time of the last sending by this node (`performance.now()`), by transaction hash. */
  at: Map<string, number>;
}

/** Looks for the transactions of anchors in blocks, and sends a transaction where one is necessary. */
export async function followAnchors(
  deps: AnchoringDeps,
  anchors: readonly OpenAnchor[],
  sent: Sent,
): Promise<void> {
  const height = await deps.chain.readHeight();
  const readBlockHash = remember(deps.chain.readBlockHash);
  const final: string[] = [];
  const refusals: ChainTrouble[] = [];
  for (const anchor of anchors) {
    const { blockNumber, blockHash } = anchor;
    const isInChain = blockNumber !== null && (await readBlockHash(blockNumber)) === blockHash;
    if (!isInChain) refusals.push(...(await refusalOf(() => follow(deps, anchor, sent))));
    else if (height - blockNumber + 1 >= deps.pace.confirmations) final.push(anchor.id);
  }
  if (final.length > 0) await withLease(deps, (tx) => noteFinal(tx, final));
  for (const first of refusals) throw first;
}

/** Returns an error with the code `refused` instead of throwing it, so that the other anchors advance too. */
async function refusalOf(run: () => Promise<void>): Promise<ChainTrouble[]> {
  try {
    await run();
    return [];
  } catch (error) {
    if (error instanceof ChainTrouble && error.code === 'refused') return [error];
    throw error;
  }
}

async function follow(deps: AnchoringDeps, anchor: OpenAnchor, sent: Sent): Promise<void> {
  const mined = await findMined(deps, anchor);
  if (anchor.state === 'confirmed') deps.counts.reorgs++;
  if (mined !== undefined) {
    await withLease(deps, (tx) => noteMined(tx, anchor.id, mined));
    for (const { hash } of anchor.transactions) sent.at.delete(hash);
    return;
  }
  if (anchor.state === 'confirmed') await withLease(deps, (tx) => noteUnmined(tx, anchor.id));
  await push(deps, anchor, sent);
}

async function findMined(
  { chain }: AnchoringDeps,
  anchor: OpenAnchor,
): Promise<MinedTransaction | undefined> {
  for (const { hash } of anchor.transactions) {
    const mined = await chain.readMined(hash, anchor);
    if (mined !== undefined) return mined;
  }
  return undefined;
}

/** Sends the newest transaction of an anchor that is in no block yet again, or replaces this transaction. */
async function push(deps: AnchoringDeps, anchor: OpenAnchor, sent: Sent): Promise<void> {
  const { chain, pace } = deps;
  // Ignores transactions of a former account, because `readNonce` reads only the nonce of the current account.
  const newest = anchor.transactions.find(({ account }) => account === chain.account);
  if (newest === undefined) return resendTransaction(deps, anchor);
  const outcome = await sendAgain(deps, newest, sent);
  if (outcome !== 'feeTooLow' && newest.signedSecondsAgo < pace.bumpSeconds) return;
  if ((await chain.readNonce('latest')) <= newest.nonce) {
    return (await hasGapBelow(deps, newest.nonce))
      ? resendTransaction(deps, anchor)
      : sendWithHigherFee(deps, anchor, newest);
  }
  // A block contains a transaction with this nonce. It may be the transaction of this anchor.
  if (outcome !== 'feeTooLow' && (await findMined(deps, anchor)) === undefined)
    await resendTransaction(deps, anchor);
}

async function sendAgain(
  { chain, pace }: AnchoringDeps,
  { hash, raw }: StoredTransaction,
  { at }: Sent,
): Promise<'sent' | 'known' | 'feeTooLow' | undefined> {
  const lastMs = at.get(hash);
  if (lastMs !== undefined && performance.now() - lastMs < pace.resendSeconds * 1000) return undefined;
  const outcome = await chain.send(raw);
  at.set(hash, performance.now());
  return outcome;
}

function remember<Answer>(ask: (number: number) => Promise<Answer>): (number: number) => Promise<Answer> {
  const answers = new Map<number, Promise<Answer>>();
  return (number) => {
    const answer = answers.get(number) ?? ask(number);
    answers.set(number, answer);
    return answer;
  };
}
