import type { Database } from '../../platform/db/database.js';
import { sleepUntil } from '../../platform/sleep-until.js';
import {
  type DescribingTarget,
  FIRST_PLACE,
  hasBacklog,
  queueUndescribed,
  type UndescribedCursor,
} from '../../search/undescribed.sql.js';

/** Jobs per page. The next page waits while more jobs than this are queued, so jobs of new recordings start soon. */
const PAGE = 100;
const PAUSE_MS = 1_000;

interface DescribeEarlierDeps {
  db: Database;
  targets: readonly DescribingTarget[];
  wake(): void;
  reportFailure(error: unknown): void;
}

export interface EarlierContent {
  /** Resolves when all content without a description has a job, or after `close`. */
  queued: Promise<void>;
  /** Stops the search for content. The next start searches from the beginning. */
  close(): Promise<void>;
}

/**
 * Queues jobs, page by page, for content without a description of the current method or provider. Descriptors of
 * another provider are not deleted. Several nodes can run this at the same time.
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
