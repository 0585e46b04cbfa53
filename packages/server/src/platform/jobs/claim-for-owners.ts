import type { Job } from './outbox.sql.js';

/** The owners of projects. An owner can have many projects. */
export interface Owners {
  /** Returns the owner of each of these projects, and of the other projects of these owners. */
  listProjects(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Age of a run after which the runner can end it for an owner without a running job. The job then runs again. */
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
  /** Number of free slots. */
  free: number;
  maxPerOwner: number;
  /** Claims a job of any project except these. */
  claim(exceptProjects: readonly string[]): Promise<Job[]>;
  /** Like `claim`, with separate turns of the projects. A search without a job resets the turns of its function. */
  claimFirst(exceptProjects: readonly string[]): Promise<Job[]>;
}

const INTERRUPTED = 'The run ended, because another account waited for the slot. The job runs again later.';

/**
 * Claims a job of an owner without a running job, otherwise of an owner with fewer than `maxPerOwner` running jobs. When
 * no slot is free, ends an old run of the owner with the most running jobs for an owner without a running job.
 */
export async function claimForOwners(owners: Owners, slots: Slots): Promise<Job[]> {
  const { running, free, maxPerOwner, claim, claimFirst } = slots;
  const olds = findOldRuns(running, owners.interruptAfterMs);
  if (free <= 0 && olds.length === 0) return [];
  const projects = await owners.listProjects([...running.keys()].map(({ projectId }) => projectId));
  const ownerOf = ({ projectId }: Job) => projects.get(projectId) ?? projectId;
  const counts = new Map<string, number>();
  for (const job of running.keys()) counts.set(ownerOf(job), (counts.get(ownerOf(job)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const given = olds.find(([job]) => most > 1 && counts.get(ownerOf(job)) === most);
  if (free <= 0 && given === undefined) return [];
  const projectsWith = (least: number) =>
    [...projects].flatMap(([id, owner]) => ((counts.get(owner) ?? 0) >= least ? [id] : []));
  const first = await claimFirst(projectsWith(1));
  if (free <= 0 && first.length > 0) given?.[1].interruption.abort(new Error(INTERRUPTED));
  return first.length > 0 || free <= 0 ? first : claim(projectsWith(maxPerOwner));
}

/** Returns the runs that are older than `ageMs` and not interrupted yet. The first run started first. */
function findOldRuns(running: ReadonlyMap<Job, Run>, ageMs: number): [Job, Run][] {
  const latestMs = performance.now() - ageMs;
  return [...running].filter(([, run]) => run.startedMs <= latestMs && !run.interruption.signal.aborted);
}
