import type { Database } from '../../platform/db/database.js';
import { sleepUntil } from '../../platform/sleep-until.js';
import {
  type DescribingTarget,
  FIRST_PLACE,
  hasBacklog,
  queueUndescribed,
  type UndescribedCursor,
} from '../../search/undescribed.sql.js';

/** The next page waits while more jobs than this are queued, so jobs of new recordings start soon. */
const PAGE = 100;
const PAUSE_MS = 1_000;
/** A later search also queues the jobs that failed since the last one. */
const DAY_MS = 86_400_000;

interface DescribeEarlierDeps {
  db: Database;
  targets: readonly DescribingTarget[];
  wake(): void;
  reportFailure(error: unknown): void;
  againMs?: number | undefined;
}

export interface EarlierContent {
  /** Resolves when the first search has queued all jobs, or after `close`. */
  queued: Promise<void>;
  close(): Promise<void>;
}

/** Queues jobs for undescribed content, at once and then each day. Several nodes can run this at the same time. */
export function describeEarlierContent({
  db,
  targets,
  wake,
  reportFailure,
  againMs = DAY_MS,
}: DescribeEarlierDeps): EarlierContent {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function walk(target: DescribingTarget): Promise<void> {
    let after: UndescribedCursor | undefined = FIRST_PLACE;
    while (after !== undefined && !signal.aborted) after = await step(target, after);
  }

  async function step(
    target: DescribingTarget,
    after: UndescribedCursor,
  ): Promise<UndescribedCursor | undefined> {
    try {
      if (!(await hasBacklog(db, target.jobKind, PAGE))) {
        const next = await queueUndescribed(db, target, { after, limit: PAGE });
        wake();
        if (next === undefined) return undefined;
        after = next;
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      reportFailure(error);
    }
    await sleepUntil(PAUSE_MS, signal);
    return after;
  }

  async function walkAll(): Promise<void> {
    for (const target of targets) await walk(target);
  }

  async function walkAgain(): Promise<void> {
    while (!signal.aborted) {
      await sleepUntil(againMs, signal);
      await walkAll();
    }
  }

  const queued = walkAll();
  const ended = queued.then(walkAgain);
  return {
    queued,
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}
