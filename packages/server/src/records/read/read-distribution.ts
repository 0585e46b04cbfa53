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
import { ServiceError } from '../../errors.js';
import { createPauses } from '../../platform/db/paced.js';
import { type JsonText, lengthOf, toText } from '../../platform/json-text.js';
import type { DistributionForm } from '../conversion/convert.js';
import { convertHistory } from '../conversion/converter.js';
import type { RecordDeps } from '../deps.js';
import { MAX_ANSWER_ACTIONS, MAX_ANSWER_BYTES } from './answer-size.js';
import { type HistoryDeps, readBundleText } from './read-histories.js';

export type DistributionRequest = DistributionTerms & { cid: string; policy: Policy };

type DistributionDeps = HistoryDeps & Pick<RecordDeps, 'converter'>;

/** Returns the JSON of a `Distribution`. Undefined when the project does not know the content. */
export async function readDistributionText(
  deps: DistributionDeps,
  projectId: string,
  asked: DistributionRequest & { signal?: AbortSignal },
): Promise<JsonText | undefined> {
  return (await shareHistory(deps, projectId, { ...asked, form: 'whole' }))?.text;
}

/** Omits the lists of contents, which can be long. */
export async function readShares(
  deps: DistributionDeps,
  projectId: string,
  asked: DistributionRequest & { signal?: AbortSignal },
): Promise<Shares | undefined> {
  const shared = await shareHistory(deps, projectId, { ...asked, form: 'shares' });
  return shared && JSON.parse(toText(shared.text));
}

/** `maxBytes`: limit for all histories together. */
type DistributionRequests = Omit<DistributionRequest, 'cid'> & {
  cids: readonly string[];
  maxBytes?: number;
  signal?: AbortSignal;
};

/** A request with more contents waits in the fair queue, because each content takes time in the main thread. */
const MAX_CONTENTS_AT_ONCE = 8;

/** Omits unknown contents. */
export async function readDistributions(
  deps: DistributionDeps,
  projectId: string,
  requests: DistributionRequests,
): Promise<SharedContent[]> {
  if (requests.cids.length <= MAX_CONTENTS_AT_ONCE) return shareEach(deps, projectId, requests);
  const turn = { projectId, kind: 'history', signal: requests.signal } as const;
  return deps.scheduler.run(turn, (signal, hold) => {
    // The reads use the slot of this request. If each request waited for a second slot, all could wait for ever.
    const scheduler: DistributionDeps['scheduler'] = { run: (_, task) => task(signal, hold) };
    return shareEach({ ...deps, scheduler }, projectId, { ...requests, signal });
  });
}

interface SharedContent {
  cid: string;
  distribution: Shares;
}

/** Pauses between contents while other projects have requests. */
async function shareEach(
  deps: DistributionDeps,
  projectId: string,
  { cids, maxBytes = MAX_ANSWER_BYTES, ...options }: DistributionRequests,
): Promise<SharedContent[]> {
  const pauseBefore = createPauses(() => deps.hasOtherRequests?.(projectId) ?? false);
  const found: SharedContent[] = [];
  let sizeBytes = 0;
  for (const cid of cids) {
    await pauseBefore();
    options.signal?.throwIfAborted();
    const shared = await shareHistory(deps, projectId, { cid, ...options, form: 'shares' });
    if (shared === undefined) continue;
    found.push({ cid, distribution: JSON.parse(toText(shared.text)) });
    sizeBytes += shared.sizeBytes;
    if (sizeBytes > maxBytes) throw tooMuch(found.length, maxBytes);
  }
  return found;
}

function tooMuch(count: number, maxBytes: number): ServiceError {
  return new ServiceError(
    'PayloadTooLarge',
    `The histories of the first ${count} contents have more than ${maxBytes} bytes together.`,
    { recovery: 'Request fewer contents at a time, or a smaller depth.' },
  );
}

async function shareHistory(
  deps: DistributionDeps,
  projectId: string,
  { cid, signal, form, ...options }: DistributionRequest & { signal?: AbortSignal; form: DistributionForm },
): Promise<{ text: JsonText; sizeBytes: number } | undefined> {
  const asked = {
    cid,
    direction: 'ancestors',
    depth: toDepth(options),
    limit: MAX_ANSWER_ACTIONS,
    signal,
  } as const;
  const text = await readBundleText(deps, projectId, asked);
  if (text === undefined) return undefined;
  const task = { to: { shares: options, form }, text, signal, refusedAs: 'InvalidField' } as const;
  return { text: await shareAsText(deps, projectId, task), sizeBytes: lengthOf(text) };
}

async function share<Shared extends Distribution | Shares>(
  deps: Parameters<typeof convertHistory>[0],
  projectId: string,
  task: ShareTask,
): Promise<Shared> {
  return JSON.parse(toText(await shareAsText(deps, projectId, task)));
}

async function shareAsText(
  deps: Parameters<typeof convertHistory>[0],
  projectId: string,
  { refusedAs, ...task }: ShareTask,
): Promise<JsonText> {
  try {
    return await convertHistory(deps, projectId, task);
  } catch (cause) {
    throw toRefusal(refusedAs, cause);
  }
}

interface ShareTask {
  to:
    | { shares: DistributionTerms; form: DistributionForm }
    | { sharesByWeight: { total: number | undefined } };
  text: JsonText;
  signal: AbortSignal | undefined;
  /** The error code when no shares can be computed. */
  refusedAs: 'InvalidField' | 'ValidationError';
}

/** The largest share comes first. */
export function shareByWeight(
  deps: Pick<DistributionDeps, 'converter' | 'scheduler'>,
  projectId: string,
  {
    weights,
    total,
    signal,
  }: { weights: readonly Recipient[]; total?: number | undefined; signal?: AbortSignal },
): Promise<Shares> {
  const to = { sharesByWeight: { total } };
  return share(deps, projectId, { to, text: JSON.stringify(weights), signal, refusedAs: 'ValidationError' });
}

/** Reads no records. */
export async function previewDistribution(
  deps: Pick<DistributionDeps, 'converter' | 'scheduler'>,
  projectId: string,
  { input, signal }: { input: DistributionInput; signal: AbortSignal },
): Promise<Distribution | Shares> {
  const { weights, bundle, total, ...options } = input;
  if (bundle === undefined) return shareByWeight(deps, projectId, { weights: weights ?? [], total, signal });
  const to = { shares: { ...options, total }, form: 'whole' } as const;
  return share(deps, projectId, { to, text: JSON.stringify(bundle), signal, refusedAs: 'ValidationError' });
}

/** Adds one level for a marked copy, whose action does not count, and one to see whether the history continues. */
function toDepth({ policy, depth }: { policy: Policy; depth?: number | undefined }): number | undefined {
  if (policy === 'direct') return 3;
  if (policy === 'parents') return 4;
  return depth === undefined ? undefined : depth + 3;
}

/** The request field of an error. Other codes belong to records, or to recipients in the request. */
const PLACES: Partial<Record<DistributionErrorCode, string>> = {
  InvalidTotal: 'total',
  InvalidDecay: 'decay',
  InvalidDepth: 'depth',
};

function toRefusal(code: ShareTask['refusedAs'], cause: unknown): unknown {
  if (!(cause instanceof DistributionError)) return cause;
  const { code: reason, message } = cause;
  const details = [{ path: PLACES[reason] ?? '', message, reason }];
  return new ServiceError(code, message, { details, cause });
}
