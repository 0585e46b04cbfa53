import { setNewest } from '../work/set-newest.js';
import type { Job } from './outbox.sql.js';

/** The owners of projects. An owner can have many projects. */
export interface Owners {
  /** Returns a map from project to owner. It contains these projects, and the other projects of their owners. */
  listProjects(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the owner of a project. `listProjects` may omit some projects of an owner with very many. */
  readOwner(projectId: string): Promise<string | undefined>;
  /**
   * Minimum age of a run before the runner may end it. The runner then gives the slot of the run to an owner without a
   * running job. The job of the ended run runs again later, and this runner does not end that job a second time.
   */
  interruptAfterMs: number;
}

export interface Run {
  startedMs: number;
  /** Resolves when the run has ended. */
  ended: Promise<void>;
  /** Aborts when the runner ends the run for another owner. */
  interruption: AbortController;
}

export interface Slots {
  running: ReadonlyMap<Job, Run>;
  /** Returns the present number of free slots. */
  free(): number;
  maxPerOwner: number;
  /** Claims a job of any project except these. */
  claim(exceptProjects: readonly string[]): Promise<Job[]>;
  /**
   * Like `claim`, but with its own position in the order of the projects. A search that finds no job moves its position
   * back to the first project, so the two functions must not share a position.
   */
  claimFirst(exceptProjects: readonly string[]): Promise<Job[]>;
  /** Ends the claim of a job that has not begun. The job is due again later. */
  giveBack(job: Job): Promise<void>;
}

const INTERRUPTED = 'The run ended, because another owner waited for the slot. The job runs again later.';

/** Maximum number of claimed jobs that one search gives back because their owners have too many running jobs. */
const MAX_GIVEN_BACK = 20;
/** Maximum number of entries of `interrupted`, and of `known`. `interrupted` gets at most about 9,000 entries a day. */
const MAX_REMEMBERED = 10_000;

/**
 * Creates a function that claims a job of an owner without a running job. If there is no such job and a slot is free,
 * the function claims a job of an owner with fewer than `maxPerOwner` running jobs. If no slot is free, the function
 * ends a run to free a slot for the claimed job. This run belongs to the owner with the most running jobs, and is at
 * least `interruptAfterMs` old.
 */
export function createClaimForOwners(owners: Owners): (slots: Slots) => Promise<Job[]> {
  /** Ids of jobs whose run was ended for another owner, oldest first. */
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

/** The numbers of running jobs of the owners, at the time of each call. */
interface OwnerCounts {
  /** Lists the known projects of the owners with at least `least` running jobs. */
  projectsWith(least: number): string[];
  /** Returns the number of running jobs of the project's owner. */
  countOfOwner(projectId: string): Promise<number>;
  /**
   * Returns those of the jobs whose owner has the most running jobs. Returns none if no owner has more than one running
   * job.
   */
  ofMost(jobs: [Job, Run][]): [Job, Run][];
}

/**
 * `known`: the owners of projects that `listProjects` omitted in this or an earlier search, such as deleted projects.
 * Without them, each search would claim the jobs of these projects again.
 */
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
