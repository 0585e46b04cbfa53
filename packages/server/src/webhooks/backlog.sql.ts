import type { WebhookMissed } from '@colophon/model';
import type { Queryable, Tx } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';

export interface Backlog {
  webhookId: string;
  deliveries: number;
  /** Total size of the bodies of these deliveries. */
  bytes: number;
  /** Whether a count of missed events is open: `noteMissed` opens it, and `endMissed` closes it. */
  isMissing: boolean;
}

/** Counts at most `limit` deliveries of each webhook. */
export function readBacklogs(
  db: Queryable,
  projectId: string,
  { webhookIds, limit }: { webhookIds: readonly string[]; limit: number },
): Promise<Backlog[]> {
  return db.query<Backlog>(
    `select w.id as "webhookId", d.deliveries::int, d.bytes::float8,
       exists (select from provenance.webhook_missed m
         where m.project_id = $1 and m.webhook_id = w.id and m.is_open) as "isMissing"
     from unnest($2::uuid[]) w(id) cross join lateral (
       select count(*) as deliveries, coalesce(sum(p.bytes), 0) as bytes from (
         select coalesce(body_bytes, octet_length(body)) as bytes from provenance.webhook_delivery
         where project_id = $1 and webhook_id = w.id and state = 'pending' ${limitClause(limit)}) p) d`,
    [projectId, webhookIds],
  );
}

/** Counts events that webhooks missed. Returns the webhooks for which a new count began. */
export async function noteMissed(
  tx: Tx,
  projectId: string,
  missed: readonly { webhookId: string; events: number }[],
): Promise<string[]> {
  const rows = await tx.query<{ webhookId: string; isNew: boolean }>(
    `insert into provenance.webhook_missed as m (project_id, webhook_id, events, since, until)
     select $1, g."webhookId", g.events, now(), now()
     from jsonb_to_recordset($2::jsonb) as g("webhookId" uuid, events bigint)
     on conflict (project_id, webhook_id) do update set
       events = excluded.events + case when m.is_open then m.events else 0 end,
       since = case when m.is_open then m.since else excluded.since end,
       until = excluded.until, is_open = true
     returning webhook_id as "webhookId", since = until as "isNew"`,
    [projectId, JSON.stringify(missed)],
  );
  return rows.filter(({ isNew }) => isNew).map(({ webhookId }) => webhookId);
}

/** The next missed event of these webhooks starts a new count. */
export async function endMissed(tx: Tx, projectId: string, webhookIds: readonly string[]): Promise<void> {
  await tx.query(
    `update provenance.webhook_missed set is_open = false
     where project_id = $1 and webhook_id = any($2::uuid[])`,
    [projectId, webhookIds],
  );
}

/** Reads the newest count of each webhook that missed events in the last 30 days. */
export async function readMissed(db: Queryable, projectId: string): Promise<Map<string, WebhookMissed>> {
  const rows = await db.query<WebhookMissed & { webhookId: string }>(
    `select webhook_id as "webhookId", events::float8, provenance.instant(since) as since,
       provenance.instant(until) as until
     from provenance.webhook_missed where project_id = $1 and until >= now() - interval '30 days'`,
    [projectId],
  );
  return new Map(rows.map(({ webhookId, ...missed }) => [webhookId, missed]));
}

/** Deletes counts whose newest missed event is older than 30 days. */
export async function forgetMissed(db: Queryable, projectId: string): Promise<void> {
  await db.query(
    `delete from provenance.webhook_missed where project_id = $1 and until < now() - interval '30 days'`,
    [projectId],
  );
}
