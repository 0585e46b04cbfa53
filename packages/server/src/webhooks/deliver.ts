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
import { signMessage } from './sign-message.js';

/** Seconds until the next attempt, by how many there were: ten attempts within three and a half days. */
const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Attempts at a message, the first included. */
export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1;

/** How long all of them take; messages that wait for each other may be fewer attempts on. */
const PATIENCE_SECONDS = RETRY_SECONDS.reduce((sum, seconds) => sum + seconds, 0);

/** When a message is tried again after so many attempts. */
export function webhookRetrySeconds(attempt: number): number {
  return RETRY_SECONDS[attempt - 1] ?? 60;
}

/** The member of a job's payload that says to which address it goes. */
export const ADDRESS = 'webhookId';

/** The event of a message that was asked for to try an address: it is sent once. */
export const PING = 'ping';

/** Counts of attempts by what they came to. */
export type DeliveryCounts = Map<'delivered' | 'failed' | 'stopped', number>;

/** Delivers one message. Rejects when it is to be tried again; the reason is noted for the project to see. */
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
    // The service stops: nothing was tried.
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
  letter: { sealer: Sealer; webhook: LiveWebhook; id: string; body: string; signal: AbortSignal },
): Promise<PostOutcome> | PostOutcome {
  const { sealer, webhook, id, body, signal } = letter;
  const headers = sign(sealer, webhook, { id, body });
  if (headers === undefined) return { error: 'the secret cannot be opened; rotate it' };
  return post(fetch, { url: webhook.url, headers, body, signal });
}

/** Undefined when the secret was sealed with another key than the service has. */
function sign(sealer: Sealer, webhook: LiveWebhook, message: { id: string; body: string }) {
  try {
    return signMessage(openSigningKeys(sealer, webhook), message, new Date());
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unavailable') return undefined;
    throw error;
  }
}

/** Why nothing more is to be sent to an address at which a message was given up; undefined when it goes on. */
async function whyStop(
  { provenance }: WebhookDeps,
  { job, webhookId, outcome }: { job: Job; webhookId: string; outcome: PostOutcome },
): Promise<StopReason | undefined> {
  if (outcome.status === 410) return 'gone';
  const address = { projectId: job.projectId, webhookId };
  if (job.attempt >= MAX_ATTEMPTS && !(await deliveredSince(provenance, { ...address, id: job.id })))
    return 'failing';
  return (await isUndeliverable(provenance, address, PATIENCE_SECONDS)) ? 'failing' : undefined;
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
