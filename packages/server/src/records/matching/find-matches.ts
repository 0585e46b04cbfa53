import type { Match } from '@colophon/model';
import { type Queryable, untilAborted } from '../../platform/db/database.js';
import { checkCandidates } from '../../search/check-candidates.js';
import { judge, type MatchVerdict, toReview } from '../../search/classify-match.js';
import {
  type Candidate,
  type CheckedMatch,
  type Described,
  TEXT_METHOD,
  VIDEO_METHOD,
} from '../../search/descriptor.js';
import { findNearest } from '../../search/find-nearest.js';
import { readTypes } from '../../search/nearest.sql.js';
import type { SearchContext, SearchPool } from '../../search/search-pool.js';
import { findLikelyVideos } from '../../search/video/find-likely-videos.js';
import type { MatchCheckTask } from '../../search/worker/protocol.js';
import type { MatchingDeps } from './deps.js';

/** Maximum number of candidates to check by one method. Each check occupies a thread for milliseconds. */
const CANDIDATES = 8;

export interface FinderDeps {
  db: Queryable;
  matching: Pick<MatchingDeps, 'pool' | 'index'>;
}

export interface ClassifiedMatch {
  match: Match;
  judgement: MatchVerdict;
}

/** `except`: CID of content to leave out. */
export interface MatchQuery {
  described: Described;
  except?: string | undefined;
  place: SearchContext;
  /** True to use the resource types of the index, without a query of the database. */
  asIndexed?: true;
}

/** Finds content that is probably the same, best matches first. */
export async function findMatches(
  given: FinderDeps,
  projectId: string,
  query: MatchQuery,
): Promise<ClassifiedMatch[]> {
  const deps = { ...given, db: untilAborted(given.db, query.place.signal) };
  const { sound } = query.described;
  const found = await findByMethod(deps, projectId, query);
  if (sound === undefined) return found;
  const bySound = await findByMethod(deps, projectId, { ...query, described: sound });
  const others = bySound.filter(({ match }) => found.every((one) => one.match.cid !== match.cid));
  return [...found, ...others.map(toReview)].sort((a, b) => rank(b) - rank(a));
}

async function findByMethod(
  deps: FinderDeps,
  projectId: string,
  query: MatchQuery,
): Promise<ClassifiedMatch[]> {
  const { described, asIndexed, place } = query;
  const { db, matching } = deps;
  const { method, evidence, mirrored } = described;
  const candidates = await findCandidates(deps, projectId, query);
  if (candidates.length === 0) return [];
  const checked = await check(
    matching.pool,
    { kind: 'check', method, evidence, mirrored, candidates },
    place,
  );
  const judged = checked.flatMap(({ cid, type, ...one }) => {
    const found = judge(method, { cid, type, ...one });
    if (found === undefined) return [];
    const { judgement, ...how } = found;
    return [{ judgement, match: { cid, type, ...how } }];
  });
  const matches = asIndexed === true ? judged : await withTypes(db, projectId, judged);
  return matches.sort((a, b) => rank(b) - rank(a));
}

async function findCandidates(
  { db, matching: { index } }: FinderDeps,
  projectId: string,
  { described, except, place: { signal } }: MatchQuery,
): Promise<Candidate[]> {
  if (described.method === VIDEO_METHOD)
    return findLikelyVideos({ db, index }, projectId, { described, except, limit: CANDIDATES, signal });
  // The search runs once per rotation of a picture, and each run can return `except`.
  const limit = except === undefined ? CANDIDATES : CANDIDATES + described.turned.length;
  const nearest = await findNearest({ db, index }, projectId, { described, limit, signal });
  return nearest.filter(({ cid }) => cid !== except).slice(0, CANDIDATES);
}

/** Leaves out CIDs that have become aliases of other content. */
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

/** Checks texts in this thread, because that takes microseconds. */
async function check(pool: SearchPool, task: MatchCheckTask, place: SearchContext): Promise<CheckedMatch[]> {
  if (task.method === TEXT_METHOD) return checkCandidates(task);
  const answer = await pool.run(task, place);
  if (answer.kind !== 'checked')
    throw new Error(`The search thread returned "${answer.kind}", but a check was requested`);
  return answer.checked;
}

function rank({ judgement, match }: ClassifiedMatch): number {
  return (judgement === 'auto' ? 1 : 0) + match.score;
}
