import { availableParallelism } from 'node:os';
import type { SchedulerOptions } from '../platform/work/scheduler.js';
import type { Variables } from './variables.js';

export interface WorkConfig extends SchedulerOptions {
  hashThreads: number;
  /** Minimum of the limit for requests of one owner in progress, while other owners have requests. */
  ownerRequestsAtOnce: number;
  /** Maximum number of rows that one page of a list reads. */
  maxListRows: number;
  /** Maximum number of entities, actions and attributions together in one batch or import. */
  maxBatchRecords: number;
  /** Maximum number of contents that the actions may name in one batch, and in one preview of shares. */
  maxContents: { batch: number; preview: number };
  /** Limits for one webhook. `bytes` limits the total size of the bodies. */
  pendingDeliveries: { deliveries: number; bytes: number };
}

/** Maximum number of concurrent searches for pictures and sounds, and of computations of their descriptors. */
const DESCRIPTIONS = 2;
/** Each text takes a few milliseconds, and all of them share a thread. */
const TEXTS = 8;
/** `bulk`: large batches. A large batch blocks the embedded database for up to a second. */
const BATCHES = { batch: 3, bulk: 2 };
const EMBEDDED_BATCHES = { batch: 2, bulk: 1 };
/** Lower for the embedded database, because it runs no other statement while it records a batch. */
const BATCH_SIZE = { records: 3_000, contents: 10_000 };
const EMBEDDED_BATCH_SIZE = { records: 1_000, contents: 2_000 };
/** The main thread parses and checks large JSON bodies. With two slots, each project uses at most one. */
const LARGE_BODIES = 2;
/** Maximum number of large JSON bodies in memory; `bodyBytes` limits their total size. */
const HELD_BODIES = 64;
/** `bodyBytes` is this part of WORKER_MEMORY_BYTES. */
const BODY_SHARE = 1 / 4;
/** Fetches mostly wait for other services. */
const FETCHES = 8;

/** A quarter of the threads hashes uploads. The others, at least two, parse media. */
export function toWork(read: Variables): WorkConfig {
  const processors = availableParallelism();
  const threads = read.WORKER_THREADS ?? processors + 1;
  const hashThreads = Math.max(1, Math.floor(threads / 4));
  const isEmbedded = read.DATABASE_URL === undefined && read.SUPABASE_URL === undefined;
  const { records, contents } = isEmbedded ? EMBEDDED_BATCH_SIZE : BATCH_SIZE;
  return {
    hashThreads,
    ownerRequestsAtOnce: read.OWNER_REQUESTS_AT_ONCE,
    maxListRows: read.MAX_LIST_ROWS,
    maxBatchRecords: read.MAX_BATCH_RECORDS ?? records,
    maxContents: {
      batch: read.MAX_BATCH_CONTENTS ?? contents,
      preview: read.MAX_BATCH_CONTENTS ?? BATCH_SIZE.contents,
    },
    pendingDeliveries: { deliveries: read.MAX_PENDING_DELIVERIES, bytes: read.MAX_PENDING_DELIVERY_BYTES },
    places: {
      // At least one slot for a project, one for its public readers, and one for other projects.
      history: Math.max(3, processors),
      media: Math.max(2, threads - hashThreads),
      search: DESCRIPTIONS,
      describe: DESCRIPTIONS,
      video: Math.max(1, Math.floor(processors / 2)),
      text: TEXTS,
      ...(isEmbedded ? EMBEDDED_BATCHES : BATCHES),
      parse: LARGE_BODIES,
      fetch: FETCHES,
      body: HELD_BODIES,
    },
    // One processor remains for other owners.
    maxThreadsOfOwner: Math.max(1, processors - 1),
    memoryBytes: read.WORKER_MEMORY_BYTES,
    bodyBytes: Math.floor(read.WORKER_MEMORY_BYTES * BODY_SHARE),
    maxWaitMs: read.WORK_MAX_WAIT_MS,
    maxWaiting: read.WORK_MAX_WAITING,
  };
}
