import type { Database } from '../db/database.js';
import { inSpan } from '../tracing/in-span.js';
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

/** A running job runner. */
export interface JobRunner {
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Stops claiming, aborts what runs, and resolves when it has ended; its jobs stay due. */
  close(): Promise<void>;
}

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
  let alarm = new AbortController();

  const running = new Map<Job, Promise<void>>();

  async function loop(): Promise<void> {
    while (kinds.length > 0 && !stopping.signal.aborted) {
      alarm = new AbortController();
      const free = concurrency - running.size;
      // With limits per project or lane, claim one job at a time: a larger claim could exceed them.
      const limit = (maxPerProject ?? laneMember) === undefined ? free : Math.min(free, 1);
      const found = limit === 0 ? [] : await claimOrNone(limit);
      if (found.length > 0) pace.note();
      for (const job of found) running.set(job, runAndWake(job));
      if (found.length < limit || free === 0)
        await pace.pause(pollSeconds * 1000, alarm.signal, stopping.signal);
    }
    await Promise.all(running.values());
  }

  /** Runs a job in its slot. A long job does not delay the others. */
  async function runAndWake(job: Job): Promise<void> {
    await run(settings, job, stopping.signal);
    running.delete(job);
    alarm.abort();
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

  async function claimOrNone(limit: number): Promise<Job[]> {
    const lanes = { member: laneMember, busy: busyLanes() };
    try {
      return await claimJobs(db, kinds, { limit, leaseSeconds, exceptProjects: busyProjects(), lanes });
    } catch (error) {
      settings.reportFailure(error);
      return [];
    }
  }

  const ended = loop();
  return {
    wake: () => alarm.abort(),
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}

async function run(settings: JobSettings, job: Job, stopping: AbortSignal): Promise<void> {
  const { db, handlers, maxRunSeconds = DEFAULT_MAX_RUN_SECONDS, maxAttempts = 20 } = settings;
  const { retrySeconds: delayAfter = retryDelaySeconds } = settings;
  const handler = handlers[job.kind];
  if (handler === undefined) return;
  const lease = holdLease(settings, job, stopping);
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

/**
 * Extends the job's lease until it is released. `ended` aborts when another runner has the job, or the service
 * stops.
 */
function holdLease(
  settings: JobSettings,
  job: Job,
  stopping: AbortSignal,
): { ended: AbortSignal; release(): void } {
  const { db, leaseSeconds = DEFAULT_LEASE_SECONDS } = settings;
  const ended = new AbortController();
  const stop = () => ended.abort(stopping.reason);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  let isHeld = true;
  const extend = async () => {
    // A finished job has no lease to extend.
    if (!(await extendLease(db, job, leaseSeconds)) && isHeld) ended.abort();
  };
  const timer = setInterval(
    () => void extend().catch((error: unknown) => settings.reportFailure(error, job)),
    (leaseSeconds * 1000) / 3,
  );
  return {
    ended: ended.signal,
    release() {
      isHeld = false;
      stopping.removeEventListener('abort', stop);
      clearInterval(timer);
    },
  };
}
