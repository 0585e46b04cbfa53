import {
  type Distribution,
  DistributionError,
  type DistributionErrorCode,
  type DistributionInput,
  type DistributionTerms,
  type Policy,
  type Recipient,
  type Shares,
} from '@colophon/model';
import { ServiceError } from '../errors.js';
import { MAX_ANSWER_ACTIONS, MAX_ANSWER_BYTES } from './answer-size.js';
import { convertHistory } from './conversion/converter.js';
import { type JsonText, lengthOf, toText } from './json-text.js';
import type { RecordNeeds } from './needs.js';
import { type HistoryNeeds, readBundleText } from './read-histories.js';

/** How to share, and over the history of which content. */
export type AskedDistribution = DistributionTerms & { cid: string; policy: Policy };

type DistributionNeeds = HistoryNeeds & Pick<RecordNeeds, 'converter'>;

/** Shares over the history of a content; undefined when the project knows nothing of it. */
export async function readDistribution(
  needs: DistributionNeeds,
  projectId: string,
  asked: AskedDistribution & { signal?: AbortSignal },
): Promise<Distribution | undefined> {
  return (await shareHistory(needs, projectId, asked))?.distribution;
}

/** Several contents, whose histories may hold so much together; as much as one answer when absent. */
type AskedDistributions = Omit<AskedDistribution, 'cid'> & {
  cids: readonly string[];
  maxBytes?: number;
  signal?: AbortSignal;
};

/** Shares over the histories of several contents; those that the project does not know are left out. */
export async function readDistributions(
  needs: DistributionNeeds,
  projectId: string,
  { cids, maxBytes = MAX_ANSWER_BYTES, ...terms }: AskedDistributions,
): Promise<{ cid: string; distribution: Distribution }[]> {
  const found: { cid: string; distribution: Distribution }[] = [];
  let sizeBytes = 0;
  for (const cid of cids) {
    const shared = await shareHistory(needs, projectId, { cid, ...terms });
    if (shared === undefined) continue;
    found.push({ cid, distribution: shared.distribution });
    sizeBytes += shared.sizeBytes;
    if (sizeBytes > maxBytes) throw tooMuch(found.length, maxBytes);
  }
  return found;
}

function tooMuch(count: number, maxBytes: number): ServiceError {
  return new ServiceError(
    'PayloadTooLarge',
    `The histories of the first ${count} contents hold more than ${maxBytes} bytes.`,
    { recovery: 'Ask for fewer contents at a time, or for a smaller depth.' },
  );
}

async function shareHistory(
  needs: DistributionNeeds,
  projectId: string,
  { cid, signal, ...terms }: AskedDistribution & { signal?: AbortSignal },
): Promise<{ distribution: Distribution; sizeBytes: number } | undefined> {
  const asked = {
    cid,
    direction: 'ancestors',
    depth: toDepth(terms),
    limit: MAX_ANSWER_ACTIONS,
    signal,
  } as const;
  const text = await readBundleText(needs, projectId, asked);
  if (text === undefined) return undefined;
  const task = { to: { shares: terms }, text, signal, refusedAs: 'InvalidField' } as const;
  return { distribution: await share<Distribution>(needs, projectId, task), sizeBytes: lengthOf(text) };
}

/** Shares over a bundle or by recipients, given as JSON; of what is large in a thread, in turn. */
async function share<Shared extends Distribution | Shares>(
  needs: Parameters<typeof convertHistory>[0],
  projectId: string,
  { refusedAs, ...task }: ShareTask,
): Promise<Shared> {
  try {
    return JSON.parse(toText(await convertHistory(needs, projectId, task)));
  } catch (cause) {
    throw toRefusal(refusedAs, cause);
  }
}

interface ShareTask {
  to: { shares: DistributionTerms } | { sharesByWeight: { total: number | undefined } };
  text: JsonText;
  signal: AbortSignal | undefined;
  /** The error where it cannot be shared out. */
  refusedAs: 'InvalidField' | 'ValidationError';
}

/** Shares by weight, in the order given. */
export function shareByWeight(
  needs: Pick<DistributionNeeds, 'converter' | 'scheduler'>,
  projectId: string,
  {
    weights,
    total,
    signal,
  }: { weights: readonly Recipient[]; total?: number | undefined; signal?: AbortSignal },
): Promise<Shares> {
  const to = { sharesByWeight: { total } };
  return share(needs, projectId, { to, text: JSON.stringify(weights), signal, refusedAs: 'ValidationError' });
}

/** Shares by what the caller says alone. */
export async function previewDistribution(
  needs: Pick<DistributionNeeds, 'converter' | 'scheduler'>,
  projectId: string,
  { input, signal }: { input: DistributionInput; signal: AbortSignal },
): Promise<Distribution | Shares> {
  const { weights, bundle, total, ...terms } = input;
  if (bundle === undefined) return shareByWeight(needs, projectId, { weights: weights ?? [], total, signal });
  const to = { shares: { ...terms, total } };
  return share(needs, projectId, { to, text: JSON.stringify(bundle), signal, refusedAs: 'ValidationError' });
}

/**
 * How many actions back to read: one for each content that the policy looks at, and one more, whose presence tells that
 * none before it is lacking.
 */
function toDepth({ policy, depth }: { policy: Policy; depth?: number | undefined }): number | undefined {
  if (policy === 'direct') return 2;
  if (policy === 'parents') return 3;
  return depth === undefined ? undefined : depth + 2;
}

/** The members that a refusal is about; others are about records. */
const PLACES: Partial<Record<DistributionErrorCode, string>> = {
  InvalidTotal: 'total',
  InvalidDecay: 'decay',
  InvalidDepth: 'depth',
};

/** The refusal of what cannot be shared out; another error as it is. */
function toRefusal(code: ShareTask['refusedAs'], cause: unknown): unknown {
  if (!(cause instanceof DistributionError)) return cause;
  const { code: reason, message } = cause;
  const details = [{ path: PLACES[reason] ?? '', message, reason }];
  return new ServiceError(code, message, { details, cause });
}
