import { setMaxListeners } from 'node:events';
import type { Database } from '../db/database.js';
import { inSpan } from '../tracing/in-span.js';
import { MIN_REST_PAUSE_MS, type ProjectRests } from '../work/project-rests.js';
import { createClaimForOwners, type Owners, type Run } from './claim-for-owners.js';
import { createClaims } from './claim-in-turn.js';
import { keepLease, type Loop, startLoop } from './leader-loop.js';
import {
  type ClaimOptions,
  extendLease,
  finishJob,
  type Job,
  type Lanes,
  postponeJob,
  returnJob,
} from './outbox.sql.js';
import { createPollInterval, type PollInterval } from './poll-interval.js';

/**
 * Must be idempotent, since a job can run more than once. `signal` aborts when the time limit is reached, the lease is
 * lost, another owner needs the slot, or the service stops.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

/** The run was aborted before its slot was free. It does not count as an attempt. */
export class NotBegunError extends Error {
  constructor(cause: unknown) {
    super('No slot was free for the job.', { cause });
    this.name = 'NotBegunError';
  }
}

export interface JobSettings {
  db: Database;
  handlers: Readonly<Record<string, JobHandler>>;
  /** `job` is absent when a claim fails. */
  reportFailure: (error: unknown, job?: Job) => void;
  pollSeconds?: number;
  pace?: PollInterval;
  /** After a runner crashes, its jobs are due again after this time. */
  leaseSeconds?: number;
  maxRunSeconds?: number;
  /** Maximum number of runs, without those that reject with `NotBegunError` or end for another owner. */
  maxAttempts?: number;
  /** `attempt`: number of the failed run. */
  retrySeconds?: (attempt: number) => number;
  concurrency?: number;
  /** Maximum number of a project's jobs in this runner. Unlimited by default. */
  maxPerProject?: number;
  /** Replaces `maxPerProject` while at least half of `concurrency` is in use. */
  maxPerProjectWhenBusy?: number;
  /** While at least half of `concurrency` is in use, owners take turns, and one owner has at most half of it. */
  owners?: Owners;
  lanes?: Omit<Lanes, 'busy'>;
  /** No job of a resting project begins. */
  rests?: Pick<ProjectRests, 'list'>;
}

/** `close` aborts the running jobs and resolves when they have ended. Aborted jobs run again later. */
export type JobRunner = Loop;

const DEFAULT_LEASE_SECONDS = 60;
const DEFAULT_MAX_RUN_SECONDS = 60;
const RETRY_BASE_SECONDS = 1;
const RETRY_CAP_SECONDS = 600;
/** Delay of a job that gave its slot to another owner. */
const RETURN_SECONDS = 60;

export function retryDelaySeconds(attempt: number): number {
  return Math.min(RETRY_BASE_SECONDS * 2 ** (attempt - 1), RETRY_CAP_SECONDS);
}

/** Several nodes can run it: a lease gives each job to one of them. */
export function startJobs(settings: JobSettings): JobRunner {
  const { handlers, rests, pollSeconds = 1, pace = createPollInterval() } = settings;
  const stopping = new AbortController();
  // Each running job adds a listener.
  setMaxListeners(0, stopping.signal);
  if (Object.keys(handlers).length === 0) stopping.abort();
  const running = new Map<Job, Run>();
  const claimDue = createClaimDue(settings, running);

  /** Milliseconds until the first resting project may continue. */
  const firstEnd = () => Math.min(...(rests?.list().values() ?? []));

  async function startDue(): Promise<number> {
    // A rest can end during the search, which then misses the jobs of the project.
    const restMs = firstEnd();
    const found = await claimDue();
    if (found.length > 0) pace.note();
    for (const job of found) start(job);
    if (found.length > 0) return 0;
    return Math.min(pollSeconds * 1000, Math.max(Math.min(restMs, firstEnd()), MIN_REST_PAUSE_MS));
  }

  function start(job: Job): void {
    const interruption = new AbortController();
    const signals = { stopping: stopping.signal, interrupted: interruption.signal };
    const ended = run(settings, job, signals).then(() => {
      running.delete(job);
      loop.wake();
    });
    running.set(job, { startedMs: performance.now(), ended, interruption });
  }

  const loop = startLoop({
    step: startDue,
    stopping,
    failurePauseMs: pollSeconds * 1000,
    reportFailure: (error) => settings.reportFailure(error),
    pause: pace.pause,
    end: () => Promise.all([...running.values()].map(({ ended }) => ended)),
  });
  return loop;
}

function createClaimDue(settings: JobSettings, running: ReadonlyMap<Job, Run>): () => Promise<Job[]> {
  const { db, handlers, leaseSeconds = DEFAULT_LEASE_SECONDS, concurrency = 4, lanes, owners } = settings;
  const { rests, maxPerProject, maxPerProjectWhenBusy = maxPerProject } = settings;
  const claimNext = createClaims(db, Object.keys(handlers));
  const claimFirst = createClaims(db, Object.keys(handlers));
  const claimForOwners = owners && createClaimForOwners(owners);

  function busyProjects(): string[] {
    const most = running.size < concurrency / 2 ? maxPerProject : maxPerProjectWhenBusy;
    const ids = [...running.keys()].map(({ projectId }) => projectId);
    const countOf = (id: string) => ids.filter((one) => one === id).length;
    return [...new Set(ids)].filter((id) => most !== undefined && countOf(id) >= most);
  }

  function busyLanes(member: string): string[] {
    return [...running.keys()].map(({ payload }) => String((payload as Record<string, unknown>)[member]));
  }

  function toOptions(limit: number, projects: readonly string[] = []): ClaimOptions {
    const ofLanes = lanes === undefined ? {} : { lanes: { ...lanes, busy: busyLanes(lanes.member) } };
    const exceptProjects = [...busyProjects(), ...(rests?.list().keys() ?? []), ...projects];
    return { limit, leaseSeconds, exceptProjects, ...ofLanes };
  }

  return async () => {
    const free = () => concurrency - running.size;
    if (claimForOwners !== undefined && running.size >= concurrency / 2)
      return claimForOwners({
        running,
        free,
        maxPerOwner: concurrency / 2,
        claim: (projects) => claimNext(toOptions(1, projects)),
        claimFirst: (projects) => claimFirst(toOptions(1, projects)),
        giveBack: (job) => returnJob(db, job, RETURN_SECONDS),
      });
    // Several jobs of one claim could exceed such a limit.
    const hasLimit = [maxPerProject, lanes, owners].some((limit) => limit !== undefined);
    return free() === 0 ? [] : claimNext(toOptions(hasLimit ? 1 : free()));
  };
}

async function run(
  settings: JobSettings,
  job: Job,
  { stopping, interrupted }: { stopping: AbortSignal; interrupted: AbortSignal },
): Promise<void> {
  const { db, handlers, maxRunSeconds = DEFAULT_MAX_RUN_SECONDS } = settings;
  const handler = handlers[job.kind];
  if (handler === undefined) return;
  const { leaseSeconds: seconds = DEFAULT_LEASE_SECONDS } = settings;
  const lease = keepLease({
    extend: () => extendLease(db, job, seconds),
    seconds,
    stopping,
    reportFailure: (error) => settings.reportFailure(error, job),
  });
  try {
    const timeout = AbortSignal.timeout(maxRunSeconds * 1000);
    const signal = AbortSignal.any([lease.ended, timeout, interrupted]);
    await inSpan(`job ${job.kind}`, { attributes: { 'colophon.job.attempt': job.attempt } }, () =>
      handler(job, signal),
    );
    await finishJob(db, job);
  } catch (error) {
    if (!stopping.aborted) settings.reportFailure(error, job);
    const update = () => {
      if (stopping.aborted) return returnJob(db, job, 0);
      return interrupted.aborted ? returnJob(db, job, RETURN_SECONDS) : postpone(settings, job, error);
    };
    // If the update fails too, the lease expires and the job is due again.
    await update().catch((cause: unknown) => settings.reportFailure(cause, job));
  } finally {
    lease.release();
  }
}

function postpone(
  { db, maxAttempts = 20, retrySeconds: delayAfter = retryDelaySeconds }: JobSettings,
  job: Job,
  error: unknown,
): Promise<void> {
  if (error instanceof NotBegunError) return returnJob(db, job, delayAfter(job.attempt));
  const message = error instanceof Error ? error.message : String(error);
  const retrySeconds = job.attempt < maxAttempts ? delayAfter(job.attempt) : undefined;
  return postponeJob(db, job, { message, retrySeconds });
}
