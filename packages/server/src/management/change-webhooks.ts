import type {
  Webhook,
  WebhookDelivery,
  WebhookDetails,
  WebhookMissed,
  WebhookPatch,
  WebhookWithSecret,
} from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { createWebhookSecret, webhookSecretContext } from '../control/webhook-secrets.js';
import {
  deleteWebhookRow,
  insertWebhook,
  listWebhookRows,
  readWebhookRow,
  rotateWebhookSecret,
  type StoredWebhook,
  updateWebhookRow,
} from '../control/webhooks.sql.js';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { type ChangeOptions, change } from './change.js';
import type { Actor, ManagementDeps } from './deps.js';
import { requireMember, requireMemberAlone } from './require-member.js';
import { requireSealer, unusable } from './stored-settings.js';

const MAX_WEBHOOKS = 20;

export interface WebhookRef {
  projectId: string;
  webhookId: string;
}

export async function listWebhooks(
  { control, webhooks }: ManagementDeps,
  { userId }: Actor,
  projectId: string,
): Promise<Webhook[]> {
  await requireMember(control, { accountId: userId, projectId }, 'webhook.list');
  const rows = await listWebhookRows(control, projectId);
  const missed = await webhooks.readMissed(projectId);
  return rows.map((row) => ({ ...row, missed: missed.get(row.id) ?? null }));
}

export async function listWebhookDeliveries(
  { control, webhooks }: ManagementDeps,
  { userId }: Actor,
  { projectId, webhookId }: WebhookRef,
): Promise<WebhookDelivery[]> {
  await requireMember(control, { accountId: userId, projectId }, 'webhook.list');
  await requireWebhook(control, { projectId, webhookId });
  return webhooks.listDeliveries(projectId, webhookId);
}

/** The webhook receives events of later records. Only this response contains its secret. */
export async function createWebhook(
  options: ChangeOptions,
  projectId: string,
  details: WebhookDetails,
): Promise<WebhookWithSecret> {
  const { deps, actor } = options;
  const member = { accountId: actor.userId, projectId };
  await requireMember(deps.control, member, 'webhook.create');
  const sealer = requireSealer(deps.sealer);
  assertPostable(deps, details.url);
  // The feed may be in another database, so it starts before the transaction. Without a webhook, it sends nothing.
  await deps.webhooks.startFeed(projectId);
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId } = await requireMemberAlone(tx, member, 'webhook.create');
    if ((await listWebhookRows(tx, projectId)).length >= MAX_WEBHOOKS) {
      throw new ServiceError('Conflict', `The project has the maximum of ${MAX_WEBHOOKS} webhooks.`, {
        recovery: 'Delete a webhook first.',
      });
    }
    const id = uuidv7();
    const secret = createWebhookSecret();
    const sealedSecret = sealer.seal(secret, webhookSecretContext(id));
    await insertWebhook(tx, { ...details, id, projectId, sealedSecret });
    const answer = { ...(await requireWebhook(tx, { projectId, webhookId: id })), missed: null, secret };
    const logged = { host: new URL(details.url).host, events: details.events };
    return { answer, action: 'webhook.create', target: id, orgId, projectId, details: logged };
  });
}

/** The service sends the pending deliveries to the new URL. */
export async function updateWebhook(
  options: ChangeOptions,
  ref: WebhookRef,
  patch: WebhookPatch,
): Promise<Webhook> {
  const missed = await readMissedOf(options, ref, 'webhook.update');
  return changeWebhook(options, ref, 'webhook.update', async (tx, before) => {
    if (patch.url !== undefined) assertPostable(options.deps, patch.url);
    if (Object.values(patch).every((value) => value === undefined)) return { answer: { ...before, missed } };
    await updateWebhookRow(tx, ref.webhookId, patch);
    const host = patch.url === undefined ? {} : { host: new URL(patch.url).host };
    const { url: _, ...logged } = patch;
    return { answer: { ...(await requireWebhook(tx, ref)), missed }, details: { ...logged, ...host } };
  });
}

/** For `overlapHours`, the service also signs with the old secret. */
export async function rotateWebhook(
  options: ChangeOptions,
  ref: WebhookRef,
  overlapHours: number,
): Promise<WebhookWithSecret> {
  const missed = await readMissedOf(options, ref, 'webhook.rotate');
  return changeWebhook(options, ref, 'webhook.rotate', async (tx) => {
    const secret = createWebhookSecret();
    const place = webhookSecretContext(ref.webhookId);
    const sealedSecret = requireSealer(options.deps.sealer).seal(secret, place);
    await rotateWebhookSecret(tx, ref.webhookId, { sealedSecret, overlapHours });
    return { answer: { ...(await requireWebhook(tx, ref)), missed, secret }, details: { overlapHours } };
  });
}

/** Sends a test event once. Throws `Conflict` when the webhook has too many pending deliveries. */
export async function pingWebhook(options: ChangeOptions, ref: WebhookRef): Promise<{ messageId: string }> {
  const { deps, actor } = options;
  await requireMember(deps.control, { accountId: actor.userId, projectId: ref.projectId }, 'webhook.ping');
  // Reads the backlog before the change, for the same reason as `readMissedOf`.
  const isFull = await deps.webhooks.hasFullBacklog(ref.projectId, ref.webhookId);
  const answer = await changeWebhook(options, ref, 'webhook.ping', async () => {
    if (isFull) throw tooManyPending(ref);
    const messageId = uuidv7();
    return { answer: { messageId }, details: { messageId } };
  });
  const { messageId } = answer;
  await deps.webhooks.ping(ref.projectId, { webhookId: ref.webhookId, messageId });
  return answer;
}

function tooManyPending({ webhookId }: WebhookRef): ServiceError {
  return new ServiceError(
    'Conflict',
    `The webhook ${webhookId} has too many pending deliveries for a ping (MAX_PENDING_DELIVERIES, MAX_PENDING_DELIVERY_BYTES).`,
    {
      recovery:
        'Wait until the endpoint has accepted some of them. The list of deliveries shows why earlier attempts failed.',
    },
  );
}

export function deleteWebhook(options: ChangeOptions, ref: WebhookRef): Promise<{ deleted: true }> {
  return changeWebhook(options, ref, 'webhook.delete', async (tx) => {
    await deleteWebhookRow(tx, ref.webhookId);
    return { answer: { deleted: true }, details: {} };
  });
}

type WebhookAbility = 'webhook.update' | 'webhook.rotate' | 'webhook.ping' | 'webhook.delete';
type Change = Parameters<typeof change>[1];

/** `run` returns no `details` when it changed nothing. */
function changeWebhook<Answer>(
  options: ChangeOptions,
  { projectId, webhookId }: WebhookRef,
  action: WebhookAbility,
  run: (
    tx: Parameters<Change>[0],
    before: StoredWebhook,
  ) => Promise<{ answer: Answer; details?: Record<string, unknown> }>,
): Promise<Answer> {
  const member = { accountId: options.actor.userId, projectId };
  const assertMay = (tx: Parameters<Change>[0]) => requireMemberAlone(tx, member, action);
  return change<Answer>({ ...options, assertMay, turnOf: { membership: member } }, async (tx) => {
    const { orgId } = await assertMay(tx);
    const { answer, details } = await run(tx, await requireWebhook(tx, { projectId, webhookId }));
    if (details === undefined) return { answer, action: undefined };
    return { answer, action, target: webhookId, orgId, projectId, details };
  });
}

/** Call it before the change. The change holds a connection, and the embedded engine has only one. */
async function readMissedOf(
  { deps, actor }: ChangeOptions,
  { projectId, webhookId }: WebhookRef,
  ability: 'webhook.update' | 'webhook.rotate',
): Promise<WebhookMissed | null> {
  await requireMember(deps.control, { accountId: actor.userId, projectId }, ability);
  return (await deps.webhooks.readMissed(projectId)).get(webhookId) ?? null;
}

async function requireWebhook(db: Queryable, { projectId, webhookId }: WebhookRef): Promise<StoredWebhook> {
  const webhook = await readWebhookRow(db, projectId, webhookId);
  if (webhook !== undefined) return webhook;
  throw new ServiceError('NotFound', `The project has no webhook ${webhookId}.`, {
    recovery: 'List the webhooks of the project for their ids.',
  });
}

function assertPostable({ webhooks }: ManagementDeps, url: string): void {
  if (!webhooks.mayPost(url)) throw unusable('url', 'must be an https address of the public internet');
}
