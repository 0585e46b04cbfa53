import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.js';
import { claimJobs, finishJob, type Job, postponeJob } from './outbox.sql.js';

/**
 * Does one kind of job. Runs at least once for each job, so it must be idempotent. A rejection is a failed run;
 * it should give up when `signal` aborts, which is when the lease ends or the service stops.
 */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>;

/** What the runner needs; times in seconds. */
export interface JobSettings {
  db: Database;
  handlers: Readonly<Record<string, JobHandler>>;
  /** Told of every failed run, and without a job when the outbox itself could not be read. */
  reportFailure: (error: unknown, job?: Job) => void;
  pollSeconds?: number;
  leaseSeconds?: number;
  /** Runs before a job is given up. */
  maxAttempts?: number;
  concurrency?: number;
}

/** A running job runner. */
export interface JobRunner {
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Stops claiming, aborts what runs, and resolves when it has ended; its jobs stay due. */
  close(): Promise<void>;
}

const RETRY_BASE_SECONDS = 1;
const RETRY_CAP_SECONDS = 600;

/** Seconds until the next try: doubling from one second up to ten minutes. */
export function retryDelaySeconds(attempt: number): number {
  return Math.min(RETRY_BASE_SECONDS * 2 ** (attempt - 1), RETRY_CAP_SECONDS);
}

/** Runs due jobs until it is closed. Any number of nodes may run at once: each job goes to one of them. */
export function startJobs(settings: JobSettings): JobRunner {
  const { db, handlers, pollSeconds = 1, leaseSeconds = 60, concurrency = 4 } = settings;
  const kinds = Object.keys(handlers);
  const stopping = new AbortController();
  let alarm = new AbortController();

  async function loop(): Promise<void> {
    while (kinds.length > 0 && !stopping.signal.aborted) {
      alarm = new AbortController();
      const found = await claimOrNone();
      await Promise.all(found.map((job) => run(settings, job, stopping.signal)));
      if (found.length < concurrency) await pause(AbortSignal.any([alarm.signal, stopping.signal]));
    }
  }

  async function claimOrNone(): Promise<Job[]> {
    try {
      return await claimJobs(db, kinds, { limit: concurrency, leaseSeconds });
    } catch (error) {
      settings.reportFailure(error);
      return [];
    }
  }

  async function pause(signal: AbortSignal): Promise<void> {
    try {
      await sleep(pollSeconds * 1000, undefined, { signal, ref: false });
    } catch (error) {
      if (!signal.aborted) throw error;
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
  const { db, handlers, leaseSeconds = 60, maxAttempts = 20 } = settings;
  const handler = handlers[job.kind];
  if (handler === undefined) return;
  try {
    await handler(job, AbortSignal.any([stopping, AbortSignal.timeout(leaseSeconds * 1000)]));
    await finishJob(db, job);
  } catch (error) {
    settings.reportFailure(error, job);
    const message = error instanceof Error ? error.message : String(error);
    const retrySeconds = job.attempt < maxAttempts ? retryDelaySeconds(job.attempt) : undefined;
    // When this fails too, the lease ends by itself and the job is due again.
    await postponeJob(db, job, { message, retrySeconds }).catch((cause: unknown) =>
      settings.reportFailure(cause, job),
    );
  }
}
