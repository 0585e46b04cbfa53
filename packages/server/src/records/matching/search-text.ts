import type { SearchResult } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { roundScore } from '../../search/classify-match.js';
import type { Candidate } from '../../search/descriptor.js';
import type { TextEmbedder } from '../../search/embed-text.js';
import { findNearest } from '../../search/find-nearest.js';
import type { RecordDeps } from '../deps.js';
import type { MatchingDeps } from './deps.js';
import { searchWords, type TextQuery } from './search-words.js';

/** Minimum cosine of texts that count as equal in meaning. From `REVIEW_COSINE`, a person must decide. */
const AUTO_COSINE = 0.85;
const REVIEW_COSINE = 0.75;

/** Without an embedding provider, finds texts that share words with the query. */
export async function searchText(
  deps: RecordDeps,
  projectId: string,
  query: TextQuery,
): Promise<SearchResult> {
  const { reads, scheduler, matching } = deps;
  const { text, limit, minScore, signal } = query;
  const { embedder } = matching;
  if (embedder === undefined) return searchWords(deps, projectId, query);
  return scheduler.run({ projectId, kind: 'search', signal }, async (running) => {
    const vector = await embedder.embed(text, running);
    const described = { method: embedder.method, vector, evidence: new Uint8Array(), turned: [vector] };
    const options = { described, limit, signal: running };
    const nearest = await findNearest({ db: reads, index: matching.index }, projectId, options);
    return toVerdict(nearest, { method: embedder.method, minScore });
  });
}

export function toVerdict(
  nearest: readonly Candidate[],
  { method, minScore }: { method: string; minScore: number },
): SearchResult {
  const matches = nearest
    .map(({ cid, type, cosine }) => ({
      cid,
      type,
      method,
      score: roundScore(cosine),
    }))
    .filter(({ score }) => score >= minScore);
  const best = matches[0]?.score ?? 0;
  return { verdict: best >= AUTO_COSINE ? 'auto' : best >= REVIEW_COSINE ? 'review' : 'no-match', matches };
}

/** Waits in the fair queue, so that one project cannot occupy the provider. */
export async function embedQuery(
  { matching, scheduler }: Pick<RecordDeps, 'matching' | 'scheduler'>,
  projectId: string,
  { text, signal }: { text: string; signal?: AbortSignal | undefined },
): Promise<Float32Array> {
  const embedder = requireEmbedder(matching);
  return scheduler.run({ projectId, kind: 'search', signal }, (running) => embedder.embed(text, running));
}

function requireEmbedder({ embedder }: MatchingDeps): TextEmbedder {
  if (embedder === undefined)
    throw new ServiceError(
      'Unavailable',
      'No embedding provider is configured, so texts cannot be compared.',
      {
        recovery:
          'Ask the operator to set EMBEDDINGS_URL. POST /v1/search/file finds altered copies of a text without it.',
      },
    );
  return embedder;
}
