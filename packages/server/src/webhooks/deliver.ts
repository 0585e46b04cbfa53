import { createHmac } from 'node:crypto';
import { insertAuditLogEntry } from '../control/audit-log.sql.js';
import type { Sealer } from '../control/seal-secret.js';
import { openSigningKeys } from '../control/webhook-secrets.js';
import { type LiveWebhook, readLiveWebhook, type StopReason, stopWebhook } from '../control/webhooks.sql.js';
import { ServiceError } from '../errors.js';
import type { Job } from '../platform/jobs/outbox.sql.js';
import type { JobHandler } from '../platform/jobs/run-jobs.js';
import { type Attempt, deliveredSince, isUndeliverable, noteAttempt, readMessage } from './deliveries.sql.js';
import type { WebhookDeps } from './deps.js';
import { type PostOutcome, post } from './post.js';

/** Seconds until the next attempt, by the number of attempts: ten attempts within 3.15 days. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The number of attempts, the first included. */
export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;

/** The time of all attempts. Deliveries that wait for others may have fewer attempts. */
const RETRY_PERIOD_SECONDS = RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0);

/** Returns the seconds until the next attempt. */
export function webhookRetrySeconds(attempt: number): number {
  return RETRY_SECONDS[attempt - 1] ?? 60;
}

/** The member of a job's payload with the id of its webhook. */
export const ADDRESS = 'webhookId';

/** The event of a test delivery, which is sent once. */
export const PING = 'ping';

/** Counts of attempts by result. */
export type DeliveryCounts = Map<'delivered' | 'failed' | 'stopped', number>;

/**
 * Creates the handler that delivers one event. It rejects when the delivery is to be tried again; the project can
 * see the reason.
 */
export function createDeliverJob(deps: WebhookDeps, counts: DeliveryCounts): JobHandler {
  const count = (what: 'delivered' | 'failed' | 'stopped') => counts.set(what, (counts.get(what) ?? 0) + 1);
  return async (job, signal) => {
    const { webhookId } = job.payload as { webhookId: string };
    const message = await readMessage(deps.provenance, job.projectId, job.id);
    if (message === undefined) return;
    const note = (attempt: Omit<Attempt, 'attempts'>) =>
      noteAttempt(deps.provenance, job, { attempts: job.attempt, ...attempt });
    const webhook = await readLiveWebhook(deps.control, job.projectId, webhookId);
    if (webhook === undefined || deps.sealer === undefined)
      return note({ state: 'failed', error: 'the webhook is disabled or deleted' });
    const outcome = await send(deps, {
      sealer: deps.sealer,
      webhook,
      id: job.id,
      body: message.body,
      signal,
    });
    if (outcome.error === undefined) {
      count('delivered');
      return note({ state: 'delivered', ...outcome });
    }
    // The service stops before an attempt.
    if (signal.aborted) throw new Error(outcome.error);
    count('failed');
    const isLast = outcome.status === 410 || message.event === PING || job.attempt >= MAX_ATTEMPTS;
    await note({ state: isLast ? 'failed' : 'pending', ...outcome });
    const reason = await whyStop(deps, { job, webhookId, outcome });
    if (reason !== undefined) {
      count('stopped');
      await stop(deps, { job, webhookId, reason });
    }
    if (!isLast) throw new Error(outcome.error);
  };
}

function send(
  { fetch }: WebhookDeps,
  signed: { sealer: Sealer; webhook: LiveWebhook; id: string; body: string; signal: AbortSignal },
): Promise<PostOutcome> | PostOutcome {
  const { sealer, webhook, id, body, signal } = signed;
  const headers = sign(sealer, webhook, { id, body });
  if (headers === undefined) return { error: 'the stored secret cannot be decrypted; rotate it' };
  return post(fetch, { url: webhook.url, headers, body, signal });
}

/** Returns undefined when the secret was sealed with another key than the service has. */
function sign(sealer: Sealer, webhook: LiveWebhook, message: { id: string; body: string }) {
  try {
    return signMessage(openSigningKeys(sealer, webhook), message, new Date());
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unavailable') return undefined;
    throw error;
  }
}

/** Returns the reason to disable a webhook after a delivery was given up; undefined when it stays enabled. */
async function whyStop(
  { provenance }: WebhookDeps,
  { job, webhookId, outcome }: { job: Job; webhookId: string; outcome: PostOutcome },
): Promise<StopReason | undefined> {
  if (outcome.status === 410) return 'gone';
  const address = { projectId: job.projectId, webhookId };
  if (job.attempt >= MAX_ATTEMPTS && !(await deliveredSince(provenance, { ...address, id: job.id })))
    return 'failing';
  return (await isUndeliverable(provenance, address, RETRY_PERIOD_SECONDS)) ? 'failing' : undefined;
}

async function stop(
  { control }: WebhookDeps,
  { job, webhookId, reason }: { job: Job; webhookId: string; reason: StopReason },
): Promise<void> {
  await control.transaction(async (tx) => {
    const stopped = await stopWebhook(tx, webhookId, reason);
    if (stopped === undefined) return;
    await insertAuditLogEntry(tx, {
      ...{ userId: 'service', address: null, requestId: null },
      ...{ action: 'webhook.stop', target: webhookId, details: { reason } },
      ...{ orgId: stopped.orgId, projectId: job.projectId },
    });
  });
}

/** Returns the headers that authenticate a request (Standard Webhooks 1.0.0), with a signature of each key. */
export function signMessage(
  keys: readonly Uint8Array[],
  { id, body }: { id: string; body: string },
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
