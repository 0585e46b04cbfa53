import { availableParallelism } from 'node:os';
import type { SchedulerOptions } from '../platform/work/scheduler.js';
import type { Variables } from './variables.js';

/** Limits of concurrent expensive work. */
export interface WorkConfig extends SchedulerOptions {
  hashThreads: number;
}

/** Concurrent searches and descriptions of pictures and sounds. */
const DESCRIPTIONS = 2;
/** Small texts take some milliseconds, and share a thread. */
const TEXTS = 8;
const BATCHES = 4;
/**
 * A large batch uses the embedded database, which runs one statement at a time, for most of a second. A project has
 * one at a time.
 */
const LARGE_BATCHES = 2;
/** Fetches wait for other services most of the time. */
const FETCHES = 8;

/** Divides the threads: a quarter hashes uploads, and the others, at least two, parse media. */
export function toWork(read: Variables): WorkConfig {
  const processors = availableParallelism();
  const threads = read.WORKER_THREADS ?? processors + 1;
  const hashThreads = Math.max(1, Math.floor(threads / 4));
  return {
    hashThreads,
    places: {
      history: Math.max(2, processors),
      media: Math.max(2, threads - hashThreads),
      search: DESCRIPTIONS,
      describe: DESCRIPTIONS,
      text: TEXTS,
      batch: BATCHES,
      bulk: LARGE_BATCHES,
      fetch: FETCHES,
    },
    memoryBytes: read.WORKER_MEMORY_BYTES,
    maxWaitMs: read.WORK_MAX_WAIT_MS,
    maxWaiting: read.WORK_MAX_WAITING,
  };
}
