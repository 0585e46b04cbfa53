import type { Match } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { checkCandidates } from '../../search/check-candidates.js';
import { judge, type MatchVerdict } from '../../search/classify-match.js';
import { type CheckedMatch, type Described, TEXT_METHOD } from '../../search/descriptor.js';
import { findNearest } from '../../search/find-nearest.js';
import { readTypes } from '../../search/nearest.sql.js';
import type { SearchContext, SearchPool } from '../../search/search-pool.js';
import type { MatchCheckTask } from '../../search/worker/protocol.js';
import type { MatchingDeps } from './deps.js';

/** Candidates that are checked; each takes some milliseconds of a thread. */
const CANDIDATES = 8;

/** The database of the records, and what finds content in it. */
export interface FinderDeps {
  db: Queryable;
  matching: Pick<MatchingDeps, 'pool' | 'index'>;
}

/** A match, and how sure it is. */
export interface ClassifiedMatch {
  match: Match;
  judgement: MatchVerdict;
}

/** The content to search with. `except` is left out of the results. */
export interface MatchQuery {
  described: Described;
  except?: string | undefined;
  place: SearchContext;
  /** Types are those that the index knows, so that no statement is waited for. */
  asIndexed?: true;
}

/** The project's content that is likely the same as what was described, the surest first. */
export async function findMatches(
  { db, matching: { pool, index } }: FinderDeps,
  projectId: string,
  { described, except, asIndexed, place }: MatchQuery,
): Promise<ClassifiedMatch[]> {
  const { method, evidence } = described;
  // A picture that was recorded is near itself in each turn.
  const limit = except === undefined ? CANDIDATES : CANDIDATES + described.turned.length;
  const nearest = await findNearest({ db, index }, projectId, { described, limit, signal: place.signal });
  const candidates = nearest.filter(({ cid }) => cid !== except).slice(0, CANDIDATES);
  if (candidates.length === 0) return [];
  const checked = await check(pool, { kind: 'check', method, evidence, candidates }, place);
  const judged = checked.flatMap(({ cid, type, ...one }) => {
    const found = judge(method, { cid, type, ...one });
    if (found === undefined) return [];
    const { judgement, ...how } = found;
    return [{ judgement, match: { cid, type, ...how } }];
  });
  const matches = asIndexed === true ? judged : await withTypes(db, projectId, judged);
  return matches.sort((a, b) => rank(b) - rank(a));
}

/** The matches with the types that the database has; content that has become another name is left out. */
async function withTypes(
  db: Queryable,
  projectId: string,
  found: readonly ClassifiedMatch[],
): Promise<ClassifiedMatch[]> {
  const types = await readTypes(
    db,
    projectId,
    found.map(({ match }) => match.cid),
  );
  return found.flatMap(({ judgement, match }) => {
    const type = types.get(match.cid);
    return type === undefined ? [] : [{ judgement, match: { ...match, type } }];
  });
}

/** Texts are compared here, in some microseconds; all else in a thread. */
async function check(pool: SearchPool, task: MatchCheckTask, place: SearchContext): Promise<CheckedMatch[]> {
  if (task.method === TEXT_METHOD) return checkCandidates(task);
  const answer = await pool.run(task, place);
  if (answer.kind !== 'checked') throw new Error('A check was answered with a description');
  return answer.checked;
}

function rank({ judgement, match }: ClassifiedMatch): number {
  return (judgement === 'auto' ? 1 : 0) + match.score;
}
