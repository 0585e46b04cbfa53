import { availableParallelism } from 'node:os';
import type { SchedulerOptions } from '../platform/work/scheduler.js';
import type { Variables } from './variables.js';

/** How much expensive work is done at a time. */
export interface WorkConfig extends SchedulerOptions {
  hashThreads: number;
}

/** Of searches, and of descriptions of pictures and sounds. */
const DESCRIPTIONS = 2;
/** Small texts take some milliseconds, and share a thread. */
const TEXTS = 8;
const BATCHES = 4;
/** Each holds a database that runs one statement at a time for most of a second; of one project, one at a time. */
const LARGE_BATCHES = 2;
/** Fetches wait for another service most of the time. */
const FETCHES = 8;

/** A quarter of the threads hashes what is received. The others, at least two, parse media. */
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
