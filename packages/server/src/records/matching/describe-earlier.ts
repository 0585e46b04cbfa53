import type { Database } from '../../platform/db/database.js';
import { sleepUntil } from '../../platform/sleep-until.js';
import {
  type DescribingTarget,
  FIRST_PLACE,
  hasBacklog,
  queueUndescribed,
  type UndescribedCursor,
} from '../../search/undescribed.sql.js';

/** Jobs that are left at once: what is recorded meanwhile waits for no more than these. */
const PAGE = 100;
const PAUSE_MS = 1_000;

interface DescribeEarlierDeps {
  db: Database;
  targets: readonly DescribingTarget[];
  /** Jobs were left. */
  wake(): void;
  reportFailure(error: unknown): void;
}

/** A walk in the background. */
export interface EarlierContent {
  /** Resolves when everything that was to be described has its job. */
  queued: Promise<void>;
  /** Stops. The next start begins from the front. */
  close(): Promise<void>;
}

/**
 * Queues jobs for content that was recorded before its method existed, or under another provider, page by page.
 * Descriptors of the other provider stay. Any number of nodes can do so at once.
 */
export function describeEarlierContent({
  db,
  targets,
  wake,
  reportFailure,
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

  const queued = (async () => {
    for (const target of targets) await walk(target);
  })();
  return {
    queued,
    close: () => {
      stopping.abort();
      return queued;
    },
  };
}
