import type { Database, Queryable, Tx } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';

/** Starts the feed of a project at the end of its log. Does nothing if the feed exists. */
export async function startFeed(provenance: Database, projectId: string): Promise<void> {
  await provenance.query(
    `insert into provenance.webhook_feed (project_id, told_size, since_size)
     select $1, size, size from provenance.log_size($1) as size on conflict do nothing`,
    [projectId],
  );
}

/** Deletes the rows of deleted projects. If they stayed, each search for due feeds would read them too. */
export async function endFeeds(provenance: Database, projectIds: readonly string[]): Promise<void> {
  await provenance.query('delete from provenance.webhook_feed where project_id = any($1::uuid[])', [
    projectIds,
  ]);
}

export async function listFeedProjects(provenance: Database): Promise<string[]> {
  const rows = await provenance.query<{ id: string }>(
    'select project_id as id from provenance.webhook_feed order by project_id',
  );
  return rows.map(({ id }) => id);
}

export interface DueFeed {
  projectId: string;
  size: number;
  hasAnchors: boolean;
  hasFindings: boolean;
}

/** Lists up to `limit` projects with events that are not queued yet. The projects in `last` come after the others. */
export async function listDueFeeds(
  db: Queryable,
  { limit, last }: { limit: number; last: readonly string[] },
): Promise<DueFeed[]> {
  return db.query<DueFeed>(
    `select f.project_id as "projectId", greatest(d.size, f.told_size)::int as size,
       f.has_anchors as "hasAnchors", f.has_findings as "hasFindings"
     from (select w.*,
         exists (select from provenance.anchor_head h join provenance.anchor a on a.id = h.anchor_id
           where h.project_id = w.project_id and h.size > w.since_size and not h.told and a.state = 'final'
         ) as has_anchors,
         exists (select from provenance.audit_finding i where i.project_id = w.project_id and not i.told) as has_findings
       from provenance.webhook_feed w) f
     left join provenance.anchor_due d on d.project_id = f.project_id
     where d.size > f.told_size or f.has_anchors or f.has_findings
     order by f.project_id = any($2::uuid[]), random() limit $1`,
    [limit, last],
  );
}

/** Locks the feed until `tx` ends. Undefined while another node has the lock, and when there is no feed. */
export async function lockFeed(
  tx: Tx,
  projectId: string,
): Promise<{ queuedSize: number; sinceSize: number } | undefined> {
  const [row] = await tx.query<{ queuedSize: number; sinceSize: number }>(
    `select told_size::int as "queuedSize", since_size::int as "sinceSize"
     from provenance.webhook_feed where project_id = $1 for update skip locked`,
    [projectId],
  );
  return row;
}

/** Records that the events of all leaves below `size` are queued. */
export async function moveFeed(tx: Tx, projectId: string, size: number): Promise<void> {
  await tx.query('update provenance.webhook_feed set told_size = $2 where project_id = $1', [
    projectId,
    size,
  ]);
}

/** Contains no personal data, since an erasure cannot change an event that was sent. */
export interface EventAction {
  id: string;
  type: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
  /** False when the action has more contents than the event lists. */
  complete: boolean;
  digest: string;
  leafIndex: number;
  recordedAt: string;
}

/** `to` is exclusive. */
export interface LeafRange {
  from: number;
  to: number;
}

/** An event ends with the action at which the total size of its actions reaches this limit, in bytes of JSON. */
const MAX_EVENT_BYTES = 2 ** 16;
/** SQL: approximate size of an action in an event, in bytes of JSON. $4: maximum number of inputs, and of outputs. */
const ACTION_BYTES = `300 + octet_length(type) + octet_length(performed_by)
  + 64 * (least(cardinality(inputs), $4) + least(cardinality(outputs), $4))`;

/**
 * Lists the actions in the range. Ends early at `MAX_EVENT_BYTES`, because each of many webhooks gets the event. `to`:
 * the end of the leaves that the list covers.
 */
export async function listEventActions(
  db: Queryable,
  projectId: string,
  { from, to, maxCids }: LeafRange & { maxCids: number },
): Promise<{ actions: EventAction[]; to: number }> {
  const rows = await db.query<EventAction & { next: number | null }>(
    `select id, type, performed_by as "performedBy", inputs[1:$4] as "inputCids", outputs[1:$4] as "outputCids",
       greatest(cardinality(inputs), cardinality(outputs)) <= $4 as complete,
       'sha256:' || encode(digest, 'hex') as digest, leaf::int as "leafIndex",
       provenance.instant(recorded_at) as "recordedAt", next::int
     from (
       select *, lead(leaf) over leaves as next, sum(${ACTION_BYTES}) over leaves - (${ACTION_BYTES}) as bytes_before
       from (
         select l.leaf_index as leaf, a.id, a.type, a.performed_by, a.inputs, a.outputs, a.digest, a.recorded_at
         from provenance.log_leaf l
         join provenance.action a on a.project_id = l.project_id
           and a.id = case l.kind when 'action' then l.record_id::uuid end
         where l.project_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3) found
       window leaves as (order by leaf)) listed
     where bytes_before < ${MAX_EVENT_BYTES} order by leaf`,
    [projectId, from, to, maxCids],
  );
  const actions = rows.map(({ next: _, ...action }) => action);
  return { actions, to: rows.at(-1)?.next ?? to };
}

export interface EventAnchor extends LeafRange {
  txHash: string;
  chainId: number;
  chainName: string;
  contractAddress: string;
  blockNumber: number;
  status: 'final';
}

/** Returns up to `limit` final anchors and marks them, so that each is queued only once. */
export async function claimAnchors(
  tx: Tx,
  projectId: string,
  { sinceSize, limit }: { sinceSize: number; limit: number },
): Promise<EventAnchor[]> {
  return tx.query<EventAnchor>(
    `with taken as (
       select h.size, h.path, h.anchor_id from provenance.anchor_head h
       join provenance.anchor a on a.id = h.anchor_id and a.state = 'final'
       where h.project_id = $1 and h.size > $2 and not h.told order by h.size ${limitClause(limit)}),
     marked as (
       update provenance.anchor_head h set told = true from taken t where h.project_id = $1 and h.size = t.size)
     select case when t.path is null then t.size - 1 else coalesce((
         select max(b.size) from provenance.anchor_head b
         where b.project_id = $1 and b.size < t.size and b.path is not null), 0) end::int as "from",
       t.size::int as "to", a.tx_hash as "txHash", a.chain_id::int as "chainId", a.chain_name as "chainName",
       a.contract as "contractAddress", a.block_number::int as "blockNumber", a.state as status
     from taken t join provenance.anchor a on a.id = t.anchor_id order by t.size`,
    [projectId, sinceSize],
  );
}

export async function listActionIds(
  db: Queryable,
  projectId: string,
  { from, to, limit }: LeafRange & { limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select record_id as id from provenance.log_leaf
     where project_id = $1 and leaf_index >= $2 and leaf_index < $3 and kind = 'action' order by leaf_index ${limitClause(limit)}`,
    [projectId, from, to],
  );
  return rows.map(({ id }) => id);
}

export interface EventFinding {
  kind: string;
  subject: string;
  problem: string;
  foundAt: string;
}

/** Returns up to `limit` findings and marks them, so that each is queued only once. */
export function claimFindings(tx: Tx, projectId: string, limit: number): Promise<EventFinding[]> {
  return tx.query<EventFinding>(
    `with taken as (
       select kind, subject, problem from provenance.audit_finding where project_id = $1 and not told limit $2),
     marked as (
       update provenance.audit_finding i set told = true from taken t
       where i.project_id = $1 and i.kind = t.kind and i.subject = t.subject and i.problem = t.problem
       returning i.kind, i.subject, i.problem, i.found_at)
     select kind, subject, problem, provenance.instant(found_at) as "foundAt"
     from marked order by kind, subject, problem`,
    [projectId, limit],
  );
}
