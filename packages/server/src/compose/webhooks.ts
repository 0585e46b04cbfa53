import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Sealer } from '../control/seal-secret.js';
import type { WebhookControl } from '../management/deps.js';
import type { Databases } from '../platform/db/open-databases.js';
import type { PollInterval } from '../platform/jobs/poll-interval.js';
import { type JobRunner, startJobs } from '../platform/jobs/run-jobs.js';
import type { GuardedFetch } from '../platform/net/guarded-fetch.js';
import { createProjectRests } from '../platform/work/project-rests.js';
import { readBacklogs, readMissed } from '../webhooks/backlog.sql.js';
import {
  ADDRESS,
  createDeliverJob,
  type DeliveryCounts,
  MAX_ATTEMPTS,
  PING,
  webhookRetrySeconds,
} from '../webhooks/deliver.js';
import {
  EARLIER_WEBHOOK_JOB,
  forgetOldMessages,
  insertMessages,
  listDeliveries,
  WEBHOOK_JOB,
} from '../webhooks/deliveries.sql.js';
import { toBody } from '../webhooks/enqueue-project-events.js';
import { endFeeds, startFeed } from '../webhooks/feeds.sql.js';
import { isFull, type Missed } from '../webhooks/queue-messages.js';
import { startWebhookFeed } from '../webhooks/start-webhook-feed.js';
import type { OpenLimits } from './limits.js';

export interface Webhooks {
  desk: WebhookControl;
  counts: DeliveryCounts;
  close(): Promise<void>;
}

export interface WebhookParts {
  databases: Databases;
  sealer: Sealer | undefined;
  guarded: GuardedFetch;
  logger: Logger;
  polls: PollInterval;
  limits: OpenLimits;
  webhookRetrySeconds?: ((attempt: number) => number) | undefined;
}

/** Maximum number of concurrent deliveries. It is high, because a delivery mostly waits for its endpoint. */
const AT_ONCE = 32;
/** Maximum number of concurrent deliveries of a project. Each endpoint gets one at a time, because it can be slow. */
const AT_ONCE_OF_A_PROJECT = 4;
/** Maximum number of concurrent deliveries of a project while at least half of all slots (`AT_ONCE`) are in use. */
const AT_ONCE_WHEN_BUSY = 1;
/** A project still counts as having requests for this time after its last response. */
const PAUSE_BETWEEN_REQUESTS_MS = 1_000;

export function openWebhooks(config: Config, parts: WebhookParts): Webhooks {
  const { databases, sealer, guarded, logger, polls: pace } = parts;
  const { pendingDeliveries: backlogLimits } = config.work;
  const { hasOthers } = parts.limits.windows.requests;
  const rests = createProjectRests({ isContended: (id) => hasOthers(id, PAUSE_BETWEEN_REQUESTS_MS) });
  const deps = { ...databases, sealer, fetch: guarded.fetch, backlogLimits, rests };
  const counts: DeliveryCounts = new Map();
  const deliver = createDeliverJob(deps, counts);
  const deliveries = startJobs({
    db: databases.provenance,
    pace,
    handlers: { [WEBHOOK_JOB]: deliver, [EARLIER_WEBHOOK_JOB]: deliver },
    concurrency: AT_ONCE,
    maxPerProject: AT_ONCE_OF_A_PROJECT,
    maxPerProjectWhenBusy: AT_ONCE_WHEN_BUSY,
    rests,
    lanes: { member: ADDRESS, depth: AT_ONCE_OF_A_PROJECT * backlogLimits.deliveries },
    // The handler ends a delivery at MAX_ATTEMPTS. The runner also counts attempts that a stop of the service
    // interrupted.
    maxAttempts: 2 * MAX_ATTEMPTS,
    retrySeconds: parts.webhookRetrySeconds ?? webhookRetrySeconds,
    reportFailure: (err, job) =>
      logger.warn({ err, job: job?.id, project: job?.projectId }, 'not delivered yet'),
  });
  const feed = startWebhookFeed(deps, {
    pace,
    onMessages: deliveries.wake,
    onMissed: createMissedReport(counts, logger),
    reportFailure: (err) =>
      logger.error(
        { err },
        'deliveries to webhooks were not queued; the next attempt follows within 5 seconds',
      ),
  });
  return {
    desk: createDesk(config, parts, deliveries),
    counts,
    async close() {
      await feed.close();
      await deliveries.close();
    },
  };
}

/** Counts each missed event. Warns only when a webhook begins to miss events. */
function createMissedReport(counts: DeliveryCounts, logger: Logger) {
  return ({ projectId: project, webhookId: webhook, events, isNew }: Missed & { projectId: string }) => {
    counts.set('missed', (counts.get('missed') ?? 0) + events);
    if (!isNew) return;
    logger.warn(
      { project, webhook },
      'a webhook misses events: its pending deliveries are at MAX_PENDING_DELIVERIES or MAX_PENDING_DELIVERY_BYTES',
    );
  };
}

function createDesk(
  { allowPrivateAddresses, work: { pendingDeliveries: limits } }: Config,
  { databases: { provenance }, guarded, logger }: WebhookParts,
  deliveries: JobRunner,
): WebhookControl {
  return {
    startFeed: (projectId) => startFeed(provenance, projectId),
    endFeeds: (projectIds) =>
      endFeeds(provenance, projectIds).catch((err) =>
        logger.warn({ err, projects: projectIds }, 'the webhook feeds of deleted projects were not deleted'),
      ),
    readMissed: (projectId) => readMissed(provenance, projectId),
    listDeliveries: (projectId, webhookId) => listDeliveries(provenance, projectId, webhookId),
    async hasFullBacklog(projectId, webhookId) {
      const which = { webhookIds: [webhookId], limit: limits.deliveries };
      return (await readBacklogs(provenance, projectId, which)).some((backlog) => isFull(backlog, limits));
    },
    async ping(projectId, { webhookId, messageId }) {
      const body = toBody({ event: PING, data: { webhookId } }, projectId);
      await forgetOldMessages(provenance, projectId);
      await insertMessages(provenance, projectId, [{ id: messageId, webhookId, event: PING, body }]);
      deliveries.wake();
    },
    mayPost: (url) => guarded.mayReach(url) && (allowPrivateAddresses || url.startsWith('https:')),
  };
}
