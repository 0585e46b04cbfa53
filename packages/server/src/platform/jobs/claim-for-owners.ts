import { setNewest } from '../work/set-newest.js';
import type { Job } from './outbox.sql.js';

export interface Owners {
  /** Maps these projects, and others of their owners, to the owner. May omit projects of an owner with very many. */
  listProjects(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readOwner(projectId: string): Promise<string | undefined>;
  /** Minimum age of a run before the runner may end it for another owner. The runner ends no job twice. */
  interruptAfterMs: number;
}

export interface Run {
  startedMs: number;
  ended: Promise<void>;
  /** Aborts when the runner ends the run for another owner. */
  interruption: AbortController;
}

export interface Slots {
  running: ReadonlyMap<Job, Run>;
  free(): number;
  maxPerOwner: number;
  claim(exceptProjects: readonly string[]): Promise<Job[]>;
  /**
   * Does the same as `claim`, but from a position of its own. A search without a result moves this position back to the
   * first project.
   */
  claimFirst(exceptProjects: readonly string[]): Promise<Job[]>;
  /** Ends the claim of a job that has not begun. */
  giveBack(job: Job): Promise<void>;
}

const INTERRUPTED = 'The run ended, because another owner waited for the slot. The job runs again later.';

/** Maximum number of jobs that one search claims and gives back. */
const MAX_GIVEN_BACK = 20;
/** Maximum number of entries of `interrupted`, and of `known`. */
const MAX_REMEMBERED = 10_000;

/**
 * Creates a function that claims a job of an owner without a running job. If no slot is free, it ends a run of the
 * owner with the most running jobs. If there is no such job and a slot is free, it claims a job of an owner with fewer
 * than `maxPerOwner` running jobs.
 */
export function createClaimForOwners(owners: Owners): (slots: Slots) => Promise<Job[]> {
  /** Ids of jobs whose run was ended for another owner. */
  const interrupted = new Map<string, true>();
  const known = new Map<string, string>();
  const isEndable = ([job, run]: [Job, Run]) =>
    run.startedMs <= performance.now() - owners.interruptAfterMs &&
    !run.interruption.signal.aborted &&
    !interrupted.has(job.id);

  function end(job: Job, run: Run): void {
    setNewest(interrupted, job.id, true, MAX_REMEMBERED);
    run.interruption.abort(new Error(INTERRUPTED));
  }

  return async (slots) => {
    const { running, free, maxPerOwner, claim, claimFirst, giveBack } = slots;
    if (free() <= 0 && ![...running].some(isEndable)) return [];
    const counts = await openCounts(owners, running, known);
    const findEndable = () => counts.ofMost([...running].filter(isEndable)).at(-1);
    if (free() <= 0 && findEndable() === undefined) return [];
    const [first] = await claimBelow(1, { counts, claim: claimFirst, giveBack });
    // A slot may have become free during the claim.
    if (free() > 0)
      return first === undefined ? claimBelow(maxPerOwner, { counts, claim, giveBack }) : [first];
    if (first === undefined) return [];
    const endable = findEndable();
    if (endable === undefined) {
      await giveBack(first);
      return [];
    }
    end(...endable);
    return [first];
  };
}

/** Numbers of running jobs, at the time of each call. */
interface OwnerCounts {
  /** Lists the known projects of the owners with at least `least` running jobs. */
  projectsWith(least: number): string[];
  countOfOwner(projectId: string): Promise<number>;
  /** Returns the jobs whose owner has the most running jobs; none if no owner has more than one. */
  ofMost(jobs: [Job, Run][]): [Job, Run][];
}

/** `known`: owners of projects that `listProjects` omitted. Without it, each search would claim their jobs again. */
async function openCounts(
  owners: Owners,
  running: Slots['running'],
  known: Map<string, string>,
): Promise<OwnerCounts> {
  const listed = await owners.listProjects([...running.keys()].map(({ projectId }) => projectId));
  const projects = new Map([...known, ...listed]);
  const ownerOf = ({ projectId }: Job) => projects.get(projectId) ?? projectId;
  function countAll(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const job of running.keys()) counts.set(ownerOf(job), (counts.get(ownerOf(job)) ?? 0) + 1);
    return counts;
  }
  return {
    projectsWith(least) {
      const counts = countAll();
      return [...projects].flatMap(([id, owner]) => ((counts.get(owner) ?? 0) >= least ? [id] : []));
    },
    async countOfOwner(projectId) {
      const owner = projects.get(projectId) ?? (await owners.readOwner(projectId)) ?? projectId;
      if (!projects.has(projectId)) setNewest(known, projectId, owner, MAX_REMEMBERED);
      projects.set(projectId, owner);
      return countAll().get(owner) ?? 0;
    },
    ofMost(jobs) {
      const counts = countAll();
      const most = Math.max(...counts.values());
      return jobs.filter(([job]) => most > 1 && counts.get(ownerOf(job)) === most);
    },
  };
}

/** Claims a job of an owner with fewer than `limit` running jobs. */
async function claimBelow(
  limit: number,
  { counts, claim, giveBack }: Pick<Slots, 'claim' | 'giveBack'> & { counts: OwnerCounts },
): Promise<Job[]> {
  for (let given = 0; given < MAX_GIVEN_BACK; given++) {
    const [job] = await claim(counts.projectsWith(limit));
    if (job === undefined) return [];
    if ((await counts.countOfOwner(job.projectId)) < limit) return [job];
    await giveBack(job);
  }
  return [];
}
