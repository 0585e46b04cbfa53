import type { Database } from '../db/database.js';
import { inSpan } from '../tracing/in-span.js';
import { keepLease, type Loop, startLoop } from './leader-loop.js';
import { claimJobs, extendLease, finishJob, type Job, postponeJob } from './outbox.sql.js';
import { createPollInterval, type PollInterval } from './poll-interval.js';

/**
 * Runs one kind of job. A job can run more than once, so the handler must be idempotent. A rejection is a failed
 * run. The handler should stop when `signal` aborts: its time is over, its lease is lost, or the service stops.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

/** Settings of the runner; times in seconds. */
export interface JobSettings {
  db: Database;
  handlers: Readonly<Record<string, JobHandler>>;
  /** Called for every failed run, and without a job when the outbox itself cannot be read. */
  reportFailure: (error: unknown, job?: Job) => void;
  pollSeconds?: number;
  /** Shared with the other loops of the process; a new one by default. */
  pace?: PollInterval;
  /** The jobs of a crashed runner are due again after this time. A living runner extends its leases. */
  leaseSeconds?: number;
  /** Time limit of a run. */
  maxRunSeconds?: number;
  /** Number of runs before a job is given up. */
  maxAttempts?: number;
  /** Seconds until the next run, by the number of runs. By default it doubles from one second up to ten minutes. */
  retrySeconds?: (attempt: number) => number;
  concurrency?: number;
  /** Jobs of one project at a time, so that no project blocks the others; unlimited by default. */
  maxPerProject?: number;
  /** A member of the payload. Jobs with the same value run one after the other. */
  laneMember?: string;
}

/** A running job runner. Closing it aborts the running jobs, which stay due, and resolves when they have ended. */
export type JobRunner = Loop;

const DEFAULT_LEASE_SECONDS = 60;
const DEFAULT_MAX_RUN_SECONDS = 60;
const RETRY_BASE_SECONDS = 1;
const RETRY_CAP_SECONDS = 600;

/** Returns the seconds until the next run. They double from one second up to ten minutes. */
export function retryDelaySeconds(attempt: number): number {
  return Math.min(RETRY_BASE_SECONDS * 2 ** (attempt - 1), RETRY_CAP_SECONDS);
}

/** Runs due jobs until it is closed. Any number of nodes can run it at once: each job goes to one of them. */
export function startJobs(settings: JobSettings): JobRunner {
  const { db, handlers, pollSeconds = 1, leaseSeconds = DEFAULT_LEASE_SECONDS } = settings;
  const { concurrency = 4, maxPerProject, laneMember, pace = createPollInterval() } = settings;
  const kinds = Object.keys(handlers);
  const stopping = new AbortController();
  if (kinds.length === 0) stopping.abort();
  const running = new Map<Job, Promise<void>>();

  /** Starts due jobs in the free slots. */
  async function startDue(): Promise<number> {
    const free = concurrency - running.size;
    // With limits per project or lane, claim one job at a time: a larger claim could exceed them.
    const limit = (maxPerProject ?? laneMember) === undefined ? free : Math.min(free, 1);
    const lanes = { member: laneMember, busy: busyLanes() };
    const found =
      limit === 0
        ? []
        : await claimJobs(db, kinds, { limit, leaseSeconds, exceptProjects: busyProjects(), lanes });
    if (found.length > 0) pace.note();
    for (const job of found) running.set(job, runAndWake(job));
    return found.length < limit || free === 0 ? pollSeconds * 1000 : 0;
  }

  /** Runs a job in its slot. A long job does not delay the others. */
  async function runAndWake(job: Job): Promise<void> {
    await run(settings, job, stopping.signal);
    running.delete(job);
    loop.wake();
  }

  /** Lists the projects at their limit of running jobs. */
  function busyProjects(): string[] {
    const ids = [...running.keys()].map(({ projectId }) => projectId);
    const countOf = (id: string) => ids.filter((one) => one === id).length;
    return [...new Set(ids)].filter((id) => maxPerProject !== undefined && countOf(id) >= maxPerProject);
  }

  function busyLanes(): string[] {
    if (laneMember === undefined) return [];
    return [...running.keys()].map(({ payload }) => String((payload as Record<string, unknown>)[laneMember]));
  }

  const loop = startLoop({
    step: startDue,
    stopping,
    failurePauseMs: pollSeconds * 1000,
    reportFailure: (error) => settings.reportFailure(error),
    pause: pace.pause,
    end: () => Promise.all(running.values()),
  });
  return loop;
}

async function run(settings: JobSettings, job: Job, stopping: AbortSignal): Promise<void> {
  const { db, handlers, maxRunSeconds = DEFAULT_MAX_RUN_SECONDS, maxAttempts = 20 } = settings;
  const { retrySeconds: delayAfter = retryDelaySeconds } = settings;
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
    const signal = AbortSignal.any([lease.ended, timeout]);
    await inSpan(`job ${job.kind}`, { attributes: { 'colophon.job.attempt': job.attempt } }, () =>
      handler(job, signal),
    );
    await finishJob(db, job);
  } catch (error) {
    settings.reportFailure(error, job);
    const message = error instanceof Error ? error.message : String(error);
    const retrySeconds = job.attempt < maxAttempts ? delayAfter(job.attempt) : undefined;
    // When this fails too, the lease expires and the job is due again.
    await postponeJob(db, job, { message, retrySeconds }).catch((cause: unknown) =>
      settings.reportFailure(cause, job),
    );
  } finally {
    lease.release();
  }
}
