import {
  type Bundle,
  type Distribution,
  DistributionError,
  type DistributionErrorCode,
  type DistributionInput,
  type DistributionTerms,
  distributeBundle,
  distributeByWeight,
  type Policy,
  type Shares,
} from '@colophon/model';
import { ServiceError } from '../errors.js';
import { MAX_ANSWER_ACTIONS } from './answer-size.js';
import { type HistoryNeeds, readBundleText } from './read-histories.js';

/** How to share, and over the history of which content. */
export type AskedDistribution = DistributionTerms & { cid: string; policy: Policy };

/** Shares over the history of a content; undefined when the project knows nothing of it. */
export async function readDistribution(
  needs: HistoryNeeds,
  projectId: string,
  { cid, signal, ...terms }: AskedDistribution & { signal?: AbortSignal },
): Promise<Distribution | undefined> {
  const asked = {
    cid,
    direction: 'ancestors',
    depth: toDepth(terms),
    limit: MAX_ANSWER_ACTIONS,
    signal,
  } as const;
  const text = await readBundleText(needs, projectId, asked);
  if (text === undefined) return undefined;
  return sharedOut('InvalidField', () => distributeBundle(JSON.parse(text) as Bundle, terms));
}

/** Shares by what the caller says alone. */
export function previewDistribution(input: DistributionInput): Distribution | Shares {
  const { weights, bundle, total, ...terms } = input;
  return sharedOut('ValidationError', () =>
    bundle === undefined
      ? distributeByWeight(weights ?? [], { total })
      : distributeBundle(bundle, { ...terms, total }),
  );
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

function sharedOut<Answer>(code: 'InvalidField' | 'ValidationError', share: () => Answer): Answer {
  try {
    return share();
  } catch (cause) {
    if (!(cause instanceof DistributionError)) throw cause;
    const { code: reason, message } = cause;
    const details = [{ path: PLACES[reason] ?? '', message, reason }];
    throw new ServiceError(code, message, { details, cause });
  }
}
