import { type Loop, startLoop } from '../platform/jobs/leader-loop.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import type { WebhookDeps } from './deps.js';
import { endDeletedFeeds } from './end-deleted-feeds.js';
import { enqueueProjectEvents } from './enqueue-project-events.js';
import { listDueFeeds } from './feeds.sql.js';
import type { Missed } from './queue-messages.js';

export interface WebhookFeedOptions {
  onMessages: () => void;
  /** Called when a webhook has too many pending deliveries and misses events. */
  onMissed: (missed: Missed & { projectId: string }) => void;
  reportFailure: (error: unknown) => void;
  pace: PollInterval;
  pollMs?: number;
}

const DEFAULT_POLL_MS = 1_000;
const FEEDS = 100;
/** Time between two deletions of the feeds of deleted projects. */
const CLEANING_MS = 3_600_000;

/**
 * Starts a loop that queues the deliveries of new events every second, or every 5 s in a quiet period. Several nodes
 * can run such a loop, because only one node at a time can lock a feed. At its start and every hour, the loop also
 * deletes the feeds of deleted projects.
 */
export function startWebhookFeed(deps: WebhookDeps, options: WebhookFeedOptions): Loop {
  const { onMessages, onMissed, reportFailure, pace, pollMs = DEFAULT_POLL_MS } = options;
  const stopping = new AbortController();
  let cleanedMs = Number.NEGATIVE_INFINITY;

  async function clean(): Promise<void> {
    if (performance.now() - cleanedMs < CLEANING_MS) return;
    await endDeletedFeeds(deps);
    cleanedMs = performance.now();
  }

  async function enqueueAll(): Promise<number> {
    await clean();
    const due = await listDueFeeds(deps.provenance, FEEDS);
    let isMoreDue = false;
    for (const feed of due) {
      if (stopping.signal.aborted) return 0;
      const enqueued = await enqueueProjectEvents(deps, feed);
      isMoreDue ||= enqueued.isMoreDue;
      for (const missed of enqueued.missed) onMissed({ ...missed, projectId: feed.projectId });
    }
    if (due.length > 0) {
      pace.note();
      onMessages();
    }
    return isMoreDue ? 0 : pollMs;
  }

  return startLoop({
    step: enqueueAll,
    stopping,
    failurePauseMs: pollMs,
    reportFailure,
    pause: pace.pause,
  });
}
