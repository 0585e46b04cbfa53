import type { WebhookDelivery } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../platform/db/database.js';

export const WEBHOOK_JOB = 'webhook-delivery';
/** Jobs from nodes of an earlier version, which cannot read the table of bodies: their deliveries contain the body. */
export const EARLIER_WEBHOOK_JOB = 'webhook';

export interface Message {
  /** UUID of version 7. */
  id: string;
  webhookId: string;
  event: string;
  body: string;
}

/** Stores deliveries and their jobs, except deliveries that are already stored. Stores equal bodies once. */
export async function insertMessages(
  db: Queryable,
  projectId: string,
  messages: readonly Message[],
): Promise<void> {
  const bodies = [...new Set(messages.map(({ body }) => body))];
  const bodyIds = new Map(bodies.map((body) => [body, uuidv7()]));
  const rows = messages.map(({ body, ...message }) => ({ ...message, bodyId: bodyIds.get(body) }));
  await db.query(
    `with given as (select * from unnest($3::uuid[], $4::text[]) as b(id, body)),
     stored as (
       insert into provenance.webhook_delivery (project_id, id, webhook_id, event, body, body_id, body_bytes)
       select $1::uuid, m.id, m."webhookId", m.event, '', g.id, octet_length(g.body)
       from jsonb_to_recordset($2::jsonb) as m(id uuid, "webhookId" uuid, event text, "bodyId" uuid)
         join given g on g.id = m."bodyId"
       on conflict do nothing returning id, webhook_id, body_id),
     kept as (
       insert into provenance.webhook_body (project_id, id, body, pending)
       select $1::uuid, g.id, g.body, s.pending
       from (select body_id, count(*)::int as pending from stored group by body_id) s
         join given g on g.id = s.body_id)
     insert into provenance.outbox (project_id, id, kind, payload)
     select $1::uuid, id, '${WEBHOOK_JOB}', jsonb_build_object('webhookId', webhook_id) from stored`,
    [projectId, JSON.stringify(rows), [...bodyIds.values()], bodies],
  );
}

/** Deletes up to 200 deliveries that ended more than a week ago, and up to 200 bodies without a pending delivery. */
export async function forgetOldMessages(db: Queryable, projectId: string): Promise<void> {
  await db.query(
    `with old as (
       delete from provenance.webhook_delivery where project_id = $1 and id in (
         select id from provenance.webhook_delivery
         where project_id = $1 and ended_at < now() - interval '7 days' order by ended_at limit 200))
     delete from provenance.webhook_body where project_id = $1 and id = any(array(
       select id from provenance.webhook_body where project_id = $1 and body = ''
       limit 200 for update skip locked))`,
    [projectId],
  );
}

/** `body` is null if the row of the body is missing. */
export async function readMessage(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<{ event: string; body: string | null } | undefined> {
  const [row] = await db.query<{ event: string; body: string | null }>(
    `select d.event, case when d.body_id is null then d.body else (
       select b.body from provenance.webhook_body b where b.project_id = $1 and b.id = d.body_id) end as body
     from provenance.webhook_delivery d where d.project_id = $1 and d.id = $2 and d.state = 'pending'`,
    [projectId, id],
  );
  return row;
}

export interface Attempt {
  attempts: number;
  state: WebhookDelivery['state'];
  status?: number | undefined;
  error?: string | undefined;
}

/** Stores the result unless the delivery has already ended. Empties a body without pending deliveries. */
export async function noteAttempt(
  db: Queryable,
  { projectId, id }: { projectId: string; id: string },
  { attempts, state, status, error }: Attempt,
): Promise<void> {
  await db.query(
    `with ended as (
       update provenance.webhook_delivery set state = $3, attempts = $4, last_status = $5, last_error = $6,
         ended_at = case when $3 <> 'pending' then now() end, body = case when $3 <> 'pending' then '' else body end
       where project_id = $1 and id = $2 and state = 'pending'
       returning case when state <> 'pending' then body_id end as body_id)
     update provenance.webhook_body
     set pending = pending - 1, body = case when pending > 1 then body else '' end
     where project_id = $1 and id = (select body_id from ended)`,
    [projectId, id, state, attempts, status ?? null, error ?? null],
  );
}

/** Whether the webhook has accepted any delivery since the creation of the delivery `id`. */
export async function deliveredSince(
  db: Queryable,
  { projectId, id, webhookId }: { projectId: string; id: string; webhookId: string },
): Promise<boolean> {
  const rows = await db.query(
    `select from provenance.webhook_delivery d
     where d.project_id = $1 and d.webhook_id = $3 and d.state = 'delivered' and d.ended_at > (
       select created_at from provenance.webhook_delivery where project_id = $1 and id = $2) limit 1`,
    [projectId, id, webhookId],
  );
  return rows.length > 0;
}

/** Whether a delivery is pending for more than `seconds`, and the webhook accepted none after its creation. */
export async function isUndeliverable(
  db: Queryable,
  { projectId, webhookId }: { projectId: string; webhookId: string },
  seconds: number,
): Promise<boolean> {
  const rows = await db.query(
    `select from provenance.webhook_delivery d
     where d.project_id = $1 and d.webhook_id = $2 and d.state = 'pending'
       and d.created_at < now() - make_interval(secs => $3)
       and not exists (select from provenance.webhook_delivery t
         where t.project_id = $1 and t.webhook_id = $2 and t.state = 'delivered' and t.ended_at > d.created_at)
     limit 1`,
    [projectId, webhookId, seconds],
  );
  return rows.length > 0;
}

const MAX_LISTED = 100;

/** Newest first. */
export function listDeliveries(
  db: Queryable,
  projectId: string,
  webhookId: string,
): Promise<WebhookDelivery[]> {
  return db.query<WebhookDelivery>(
    `select id, event, state, attempts, last_status as status, last_error as error,
       provenance.instant(created_at) as "createdAt", provenance.instant(ended_at) as "endedAt"
     from provenance.webhook_delivery where project_id = $1 and webhook_id = $2 order by id desc limit $3`,
    [projectId, webhookId, MAX_LISTED],
  );
}
