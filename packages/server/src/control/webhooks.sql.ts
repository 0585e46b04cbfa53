import type { Webhook, WebhookDetails, WebhookEvent, WebhookPatch } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import type { SealedSecrets } from './webhook-secrets.js';

/** Reason why the service itself disables a webhook. */
export type StopReason = 'gone' | 'failing';

/** The database of the records stores the missed events. */
export type StoredWebhook = Omit<Webhook, 'missed'>;

type Instants = 'disabledAt' | 'oldSecretUntil' | 'createdAt' | 'updatedAt';
type WebhookRow = Omit<StoredWebhook, Instants> & {
  disabledAt: Date | null;
  oldSecretUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

const SHOWN = `id, url, description, events, disabled_at as "disabledAt", disabled_reason as "disabledReason",
  case when old_secret_until > now() then old_secret_until end as "oldSecretUntil",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** Oldest first. */
export async function listWebhookRows(db: Queryable, projectId: string): Promise<StoredWebhook[]> {
  const rows = await db.query<WebhookRow>(
    `select ${SHOWN} from control.webhook where project_id = $1 order by id`,
    [projectId],
  );
  return rows.map(toWebhook);
}

export async function readWebhookRow(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<StoredWebhook | undefined> {
  const [row] = await db.query<WebhookRow>(
    `select ${SHOWN} from control.webhook where project_id = $1 and id = $2`,
    [projectId, id],
  );
  return row === undefined ? undefined : toWebhook(row);
}

export async function insertWebhook(
  tx: Tx,
  webhook: WebhookDetails & { id: string; projectId: string; sealedSecret: string },
): Promise<void> {
  await tx.query(
    `insert into control.webhook (id, project_id, url, description, events, sealed_secret)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      webhook.id,
      webhook.projectId,
      webhook.url,
      webhook.description ?? null,
      webhook.events,
      webhook.sealedSecret,
    ],
  );
}

/** Changes only the fields that are present. `description: null` removes the description. */
export async function updateWebhookRow(
  tx: Tx,
  id: string,
  { url, description, events, disabled }: WebhookPatch,
): Promise<void> {
  await tx.query(
    `update control.webhook set url = coalesce($2, url), events = coalesce($3::text[], events),
       description = case when $4 then $5 else description end,
       disabled_at = case when $6::boolean is null then disabled_at when $6 then coalesce(disabled_at, now()) end,
       disabled_reason = case when $6::boolean is null then disabled_reason
         when $6 then coalesce(disabled_reason, 'asked') end,
       updated_at = now()
     where id = $1`,
    [id, url ?? null, events ?? null, description !== undefined, description ?? null, disabled ?? null],
  );
}

/** For `overlapHours`, requests are signed with the previous secret too. */
export async function rotateWebhookSecret(
  tx: Tx,
  id: string,
  { sealedSecret, overlapHours }: { sealedSecret: string; overlapHours: number },
): Promise<void> {
  await tx.query(
    `update control.webhook set sealed_old_secret = sealed_secret, sealed_secret = $2,
       old_secret_until = now() + make_interval(hours => $3), updated_at = now()
     where id = $1`,
    [id, sealedSecret, overlapHours],
  );
}

export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from control.webhook where id = $1', [id]);
}

export function listLiveWebhooks(
  db: Queryable,
  projectId: string,
): Promise<{ id: string; events: WebhookEvent[] }[]> {
  return db.query(
    `select w.id, w.events from control.webhook w
     join control.project p on p.id = w.project_id and p.deleted_at is null
     where w.project_id = $1 and w.disabled_at is null order by w.id`,
    [projectId],
  );
}

export async function listDeletedProjects(db: Queryable, projectIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from control.project where id = any($1::uuid[]) and deleted_at is not null',
    [projectIds],
  );
  return rows.map(({ id }) => id);
}

export interface LiveWebhook extends SealedSecrets {
  url: string;
}

/** Returns undefined if the webhook is disabled or its project is deleted. */
export async function readLiveWebhook(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<LiveWebhook | undefined> {
  const [row] = await db.query<LiveWebhook>(
    `select w.id, w.url, w.sealed_secret as "sealedSecret", w.sealed_old_secret as "sealedOldSecret",
       w.old_secret_until as "oldSecretUntil"
     from control.webhook w join control.project p on p.id = w.project_id and p.deleted_at is null
     where w.project_id = $1 and w.id = $2 and w.disabled_at is null`,
    [projectId, id],
  );
  return row;
}

/** Returns undefined if the webhook was already disabled. */
export async function stopWebhook(
  tx: Tx,
  id: string,
  reason: StopReason,
): Promise<{ orgId: string } | undefined> {
  const [row] = await tx.query<{ orgId: string }>(
    `update control.webhook w set disabled_at = now(), disabled_reason = $2, updated_at = now()
     from control.project p where w.id = $1 and p.id = w.project_id and w.disabled_at is null
     returning p.org_id as "orgId"`,
    [id, reason],
  );
  return row;
}

function toWebhook(row: WebhookRow): StoredWebhook {
  return {
    ...row,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    oldSecretUntil: row.oldSecretUntil?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
