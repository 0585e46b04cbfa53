import { type Loop, startLoop } from '../platform/jobs/leader-loop.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import { MIN_REST_PAUSE_MS } from '../platform/work/project-rests.js';
import type { WebhookDeps } from './deps.js';
import { endDeletedFeeds } from './end-deleted-feeds.js';
import { enqueueProjectEvents } from './enqueue-project-events.js';
import { type DueFeed, listDueFeeds } from './feeds.sql.js';
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
 * Queues the deliveries of new events every second, or every 5 s in a quiet period. Several nodes can run such a loop,
 * because only one node at a time can lock a feed.
 */
export function startWebhookFeed(deps: WebhookDeps, options: WebhookFeedOptions): Loop {
  const { onMessages, onMissed, reportFailure, pace, pollMs = DEFAULT_POLL_MS } = options;
  const stopping = new AbortController();
  let cleanedMs = Number.NEGATIVE_INFINITY;
  /** Times before which a feed whose events are all queued does no further step. */
  const next = new Map<string, number>();

  async function clean(): Promise<void> {
    if (performance.now() - cleanedMs < CLEANING_MS) return;
    await endDeletedFeeds(deps);
    cleanedMs = performance.now();
  }

  async function enqueueAll(): Promise<number> {
    await clean();
    // Read the rests before the search, so that a short delivery during the search does not delay the feed.
    const waiting = listWaiting(deps.rests, next);
    const due = await listDueFeeds(deps.provenance, { limit: FEEDS, last: [...waiting.keys()] });
    let pauseMs = pollMs;
    for (const feed of due) {
      if (stopping.signal.aborted) return 0;
      pauseMs = Math.min(pauseMs, waiting.get(feed.projectId) ?? (await enqueue(feed)));
    }
    if (due.length > 0) pace.note();
    if (due.some(({ projectId }) => !waiting.has(projectId))) onMessages();
    return pauseMs === 0 ? 0 : Math.min(pollMs, Math.max(pauseMs, MIN_REST_PAUSE_MS));
  }

  /** Returns the milliseconds until the next step may begin. */
  async function enqueue(feed: DueFeed): Promise<number> {
    const { projectId } = feed;
    const startedMs = performance.now();
    try {
      const { missed, isMoreDue } = await enqueueProjectEvents(deps, feed);
      for (const one of missed) onMissed({ ...one, projectId });
      if (!isMoreDue) {
        next.set(projectId, startedMs + pollMs);
        return pollMs;
      }
    } finally {
      deps.rests.note(projectId, performance.now() - startedMs);
    }
    return deps.rests.list().get(projectId) ?? 0;
  }

  return startLoop({
    step: enqueueAll,
    stopping,
    failurePauseMs: pollMs,
    reportFailure,
    pause: pace.pause,
  });
}

/** Returns the milliseconds until each waiting feed may do its next step. Deletes past times from `next`. */
function listWaiting(rests: WebhookDeps['rests'], next: Map<string, number>): ReadonlyMap<string, number> {
  const now = performance.now();
  const waiting = new Map(rests.list());
  for (const [projectId, nextMs] of next) {
    if (nextMs <= now) next.delete(projectId);
    else waiting.set(projectId, Math.max(waiting.get(projectId) ?? 0, nextMs - now));
  }
  return waiting;
}
