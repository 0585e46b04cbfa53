import { createHash } from 'node:crypto';
import { createContentHasher, type Match, type SearchResult } from '@colophon/model';
import { checkCandidates } from '../../search/check-candidates.js';
import { judge, type MatchVerdict, OVERLAP_METHOD, roundScore } from '../../search/classify-match.js';
import { readExact } from '../../search/descriptors.sql.js';
import { findNearest } from '../../search/find-nearest.js';
import { readTypes } from '../../search/nearest.sql.js';
import { describeWords } from '../../search/text/describe-text.js';
import { readWords } from '../../search/text/words.js';
import type { RecordDeps } from '../deps.js';
import { EXACT_METHOD } from './search-file.js';

export interface TextQuery {
  text: string;
  limit: number;
  minScore: number;
  signal: AbortSignal;
}

/** Minimum score of a match. Unrelated texts of the same language have scores from 0.2 to 0.3. */
const MIN_SCORE = 0.3;

/**
 * Finds the recorded content with the bytes of the query, also with a line feed added at its end. Then finds the texts
 * that are most similar to the query. A short text has no descriptor, so only a query with its exact bytes finds it.
 */
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

/** Returns the CIDs of the text as a file, without and with a line feed at its end, since editors add one. */
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
  const words = readWords(Buffer.from(text));
  if (words.ends.length === 0) return { verdict: 'no-match', matches: [] };
  const described = describeWords(words);
  const { method, evidence } = described;
  const candidates = await scheduler.run({ projectId, kind: 'search', signal }, (running) =>
    findNearest({ db: reads, index: matching.index }, projectId, { described, limit, signal: running }),
  );
  const checked = checkCandidates({ kind: 'check', method, evidence, candidates });
  const cids = checked.map(({ cid }) => cid);
  const types = cids.length === 0 ? new Map<string, string>() : await readTypes(reads, projectId, cids);
  const found = checked.flatMap(({ cid, cosine, agreement }) => {
    const type = types.get(cid);
    const score = roundScore(Math.max(cosine, agreement));
    if (type === undefined || score < Math.max(minScore, MIN_SCORE)) return [];
    const { judgement } = judge(method, { cid, type, cosine, agreement }) ?? {};
    return [
      { judgement, match: { cid, type, score, method: cosine >= agreement ? method : OVERLAP_METHOD } },
    ];
  });
  found.sort((a, b) => b.match.score - a.match.score);
  return { verdict: found[0]?.judgement ?? 'no-match', matches: found.map(({ match }) => match) };
}
