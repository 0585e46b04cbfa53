import { createHash } from 'node:crypto';
import { createContentHasher, type Match, type SearchResult } from '@colophon/model';
import { checkCandidates } from '../../search/check-candidates.js';
import { judge, type MatchVerdict, OVERLAP_METHOD, roundScore } from '../../search/classify-match.js';
import type { Described } from '../../search/descriptor.js';
import { readExact } from '../../search/descriptors.sql.js';
import { findNearest } from '../../search/find-nearest.js';
import { readTypes } from '../../search/nearest.sql.js';
import type { SearchContext, SearchPool } from '../../search/search-pool.js';
import { describeText } from '../../search/worker/describe-text.js';
import type { RecordDeps } from '../deps.js';
import { describeBytes } from './describe-content.js';
import { EXACT_METHOD } from './search-file.js';

export interface TextQuery {
  text: string;
  limit: number;
  minScore: number;
  signal: AbortSignal;
}

/**
 * This thread describes shorter texts itself, because a message to another thread takes longer than the description.
 */
const SHORT_TEXT_BYTES = 1024;
/** Unrelated texts of the same language have scores from 0.2 to 0.3. */
const MIN_SCORE = 0.3;

/** First finds content whose bytes are the query. A short text has no descriptor, so only its exact bytes find it. */
export async function searchWords(
  deps: Pick<RecordDeps, 'reads' | 'matching' | 'scheduler'>,
  projectId: string,
  query: TextQuery,
): Promise<SearchResult> {
  const exact = await readExact(deps.reads, projectId, namesOf(query.text));
  const { verdict, matches } = await findLike(deps, projectId, query);
  if (exact === undefined) return { verdict, matches };
  const first: Match = { ...exact, score: 1, method: EXACT_METHOD };
  const others = matches.filter(({ cid }) => cid !== exact.cid);
  return { verdict: 'exact', matches: [first, ...others].slice(0, query.limit) };
}

/** Returns the CIDs of the text as a file, without and with a line feed at its end, because editors add one. */
function namesOf(text: string): string[] {
  return [text, `${text}\n`].flatMap((content) => {
    const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
    hasher.update(Buffer.from(content));
    const { cid, aliases } = hasher.finish();
    return [cid, ...aliases];
  });
}

async function findLike(
  { reads, matching, scheduler }: Pick<RecordDeps, 'reads' | 'matching' | 'scheduler'>,
  projectId: string,
  { text, limit, minScore, signal }: TextQuery,
): Promise<{ verdict: MatchVerdict | 'no-match'; matches: Match[] }> {
  const found = await scheduler.run({ projectId, kind: 'search', signal }, async (running, hold) => {
    const described = await describeQuery(matching.pool, Buffer.from(text), { signal: running, hold });
    if (described === undefined) return undefined;
    const query = { described, limit, signal: running };
    return {
      described,
      candidates: await findNearest({ db: reads, index: matching.index }, projectId, query),
    };
  });
  if (found === undefined) return { verdict: 'no-match', matches: [] };
  const { method, evidence } = found.described;
  const checked = checkCandidates({ kind: 'check', method, evidence, candidates: found.candidates });
  const cids = checked.map(({ cid }) => cid);
  const types = cids.length === 0 ? new Map<string, string>() : await readTypes(reads, projectId, cids);
  const judged = checked.flatMap(({ cid, cosine, agreement }) => {
    const type = types.get(cid);
    const score = roundScore(Math.max(cosine, agreement));
    if (type === undefined || score < Math.max(minScore, MIN_SCORE)) return [];
    const { judgement } = judge(method, { cid, type, cosine, agreement }) ?? {};
    return [
      { judgement, match: { cid, type, score, method: cosine >= agreement ? method : OVERLAP_METHOD } },
    ];
  });
  judged.sort((a, b) => b.match.score - a.match.score);
  return { verdict: judged[0]?.judgement ?? 'no-match', matches: judged.map(({ match }) => match) };
}

/** Returns undefined for a text that has neither letters nor digits. */
async function describeQuery(
  pool: SearchPool,
  bytes: Uint8Array,
  place: SearchContext,
): Promise<Described | undefined> {
  const description =
    bytes.length <= SHORT_TEXT_BYTES
      ? describeText(bytes, true)
      : await describeBytes(
          pool,
          { kind: 'text', mediaType: 'text/plain', bytes, isOnlySearched: true },
          place,
        );
  return description.kind === 'described' ? description.described : undefined;
}
