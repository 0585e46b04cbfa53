import type { PollInterval } from '../platform/jobs/poll-interval.js';
import type { WebhookDeps } from './deps.js';
import { enqueueProjectEvents } from './enqueue-project-events.js';
import { listDueFeeds } from './feeds.sql.js';

/** The loop that follows the logs of projects with webhooks. */
export interface WebhookFeed {
  /** Resolves when the step under way has ended. */
  close(): Promise<void>;
}

/** Options of the loop. */
export interface WebhookFeedOptions {
  /** Called when deliveries were queued. */
  onMessages: () => void;
  reportFailure: (error: unknown) => void;
  pace: PollInterval;
  pollMs?: number;
}

const DEFAULT_POLL_MS = 1_000;
const FEEDS = 100;

/** Queues deliveries within a second of an event. Any number of nodes can run it; one at a time handles a project. */
export function startWebhookFeed(deps: WebhookDeps, options: WebhookFeedOptions): WebhookFeed {
  const { onMessages, reportFailure, pace, pollMs = DEFAULT_POLL_MS } = options;
  const stopping = new AbortController();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isMoreDue = await tellAll().catch((error: unknown) => {
        reportFailure(error);
        return false;
      });
      if (!isMoreDue) await pace.pause(pollMs, stopping.signal);
    }
  }

  /** Whether more events are due immediately. */
  async function tellAll(): Promise<boolean> {
    const due = await listDueFeeds(deps.provenance, FEEDS);
    let isMoreDue = false;
    for (const feed of due) {
      if (stopping.signal.aborted) return false;
      isMoreDue = (await enqueueProjectEvents(deps, feed)) || isMoreDue;
    }
    if (due.length > 0) {
      pace.note();
      onMessages();
    }
    return isMoreDue;
  }

  const ended = loop();
  return {
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}
