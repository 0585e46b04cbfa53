import { insertAuditLogEntry } from '../control/audit-log.sql.js';
import type { Sealer } from '../control/seal-secret.js';
import { openSigningKeys } from '../control/webhook-secrets.js';
import { type LiveWebhook, readLiveWebhook, type StopReason, stopWebhook } from '../control/webhooks.sql.js';
import { ServiceError } from '../errors.js';
import type { Job } from '../platform/jobs/outbox.sql.js';
import type { JobHandler } from '../platform/jobs/run-jobs.js';
import { type Attempt, deliveredSince, isUndeliverable, noteAttempt, readMessage } from './deliveries.sql.js';
import type { WebhookDeps } from './deps.js';
import { paceDelivery } from './pace-delivery.js';
import { type PostOutcome, post, signMessage } from './post.js';

/** Seconds to wait after each failed attempt. All ten attempts together take 3.15 days. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;

/** A delivery that waits for other deliveries may get fewer than ten attempts in this time. */
const RETRY_PERIOD_SECONDS = RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0);

export function webhookRetrySeconds(attempt: number): number {
  return RETRY_SECONDS[attempt - 1] ?? 60;
}

/** Name of the member of a job's payload that contains the id of the webhook. */
export const ADDRESS = 'webhookId';

/** Event of a test delivery, which has only one attempt. */
export const PING = 'ping';

export type DeliveryCounts = Map<'delivered' | 'failed' | 'stopped' | 'missed', number>;

/** The handler rejects when the job must run again. */
export function createDeliverJob(deps: WebhookDeps, counts: DeliveryCounts): JobHandler {
  const count = (what: 'delivered' | 'failed' | 'stopped') => counts.set(what, (counts.get(what) ?? 0) + 1);
  return (job, signal) =>
    paceDelivery(deps, job.projectId, (paced) => deliver(paced, { job, signal, count }));
}

interface DeliveryRun {
  job: Job;
  signal: AbortSignal;
  count: (what: 'delivered' | 'failed' | 'stopped') => void;
}

async function deliver(deps: WebhookDeps, { job, signal, count }: DeliveryRun): Promise<void> {
  const { webhookId } = job.payload as { webhookId: string };
  const message = await readMessage(deps.provenance, job.projectId, job.id);
  if (message === undefined) return;
  const note = (attempt: Omit<Attempt, 'attempts'>) =>
    noteAttempt(deps.provenance, job, { attempts: job.attempt, ...attempt });
  const { event, body } = message;
  if (body === null) return note({ state: 'failed', error: 'the body of the event is missing' });
  const webhook = await readLiveWebhook(deps.control, job.projectId, webhookId);
  if (webhook === undefined) return note({ state: 'failed', error: 'the webhook is disabled or deleted' });
  const { sealer } = deps;
  if (sealer === undefined)
    return note({
      state: 'failed',
      error: 'the service cannot decrypt the secret of the webhook, because SECRETS_KEY is not set',
    });
  const outcome = await send(deps, { sealer, webhook, id: job.id, body, signal });
  if (outcome.error === undefined) {
    count('delivered');
    return note({ state: 'delivered', ...outcome });
  }
  // The job was aborted, for example because the service is stopping. The attempt does not count as failed.
  if (signal.aborted) throw new Error(outcome.error);
  count('failed');
  const isLast = outcome.status === 410 || event === PING || job.attempt >= MAX_ATTEMPTS;
  await note({ state: isLast ? 'failed' : 'pending', ...outcome });
  const reason = await whyStop(deps, { job, webhookId, outcome });
  if (reason !== undefined) {
    count('stopped');
    await stop(deps, { job, webhookId, reason });
  }
  if (!isLast) throw new Error(outcome.error);
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

/** Returns undefined when the present key of the service cannot decrypt the secret. */
function sign(sealer: Sealer, webhook: LiveWebhook, message: { id: string; body: string }) {
  try {
    return signMessage(openSigningKeys(sealer, webhook), message, new Date());
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unavailable') return undefined;
    throw error;
  }
}

/** Returns the reason to disable the webhook after a failed attempt; undefined when it stays enabled. */
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
