import type { Match } from '@colophon/model';
import type { Queryable } from '../../db/database.js';
import { checkCandidates } from '../../search/check-candidates.js';
import { type Checked, type Described, TEXT_METHOD } from '../../search/descriptor.js';
import { type Judgement, judge } from '../../search/judge.js';
import { readNearest } from '../../search/nearest.sql.js';
import type { SearchPool, SearchTerms } from '../../search/search-pool.js';
import type { CheckTask } from '../../search/worker/protocol.js';

/** Candidates that are checked; each takes some milliseconds of a thread. */
const CANDIDATES = 8;

/** A match, and how sure it is. */
export interface JudgedMatch {
  match: Match;
  judgement: Judgement;
}

/** The project's content that is likely the same as what was described, the surest first; `except` is left out. */
export async function findMatches(
  { provenance, pool }: { provenance: Queryable; pool: SearchPool },
  projectId: string,
  {
    described,
    except,
    ...terms
  }: { described: Described; except?: string | undefined; signal?: AbortSignal },
): Promise<JudgedMatch[]> {
  const { method, evidence } = described;
  // A picture that was recorded is near itself in each turn.
  const limit = except === undefined ? CANDIDATES : CANDIDATES + described.turned.length;
  const nearest = await readNearest(provenance, projectId, { described, limit });
  const candidates = nearest.filter(({ cid }) => cid !== except).slice(0, CANDIDATES);
  if (candidates.length === 0) return [];
  const judged = (await check(pool, { kind: 'check', method, evidence, candidates }, terms)).flatMap(
    (checked) => {
      const found = judge(method, checked);
      if (found === undefined) return [];
      const { judgement, ...how } = found;
      return [{ judgement, match: { cid: checked.cid, type: checked.type, ...how } }];
    },
  );
  return judged.sort((a, b) => rank(b) - rank(a));
}

/** Texts are compared here, in some microseconds; all else in a thread. */
async function check(pool: SearchPool, task: CheckTask, terms: SearchTerms): Promise<Checked[]> {
  if (task.method === TEXT_METHOD) return checkCandidates(task);
  const answer = await pool.run(task, terms);
  if (answer.kind !== 'checked') throw new Error('A check was answered with a description');
  return answer.checked;
}

function rank({ judgement, match }: JudgedMatch): number {
  return (judgement === 'auto' ? 1 : 0) + match.score;
}
