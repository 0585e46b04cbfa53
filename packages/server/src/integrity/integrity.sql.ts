import type { JsonObject, RecordKind, Salts } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { limitClause } from '../platform/db/limit-clause.js';
import { type StoredCursor, toStoredCursor } from './cursor.js';
import type { IntegrityCursor, IntegrityFinding, IntegrityVisit } from './deps.js';

/** The pass in progress, or the last pass if `cursor` is null. */
export interface IntegrityPass {
  number: number;
  cursor: StoredCursor | null;
  idleMs: number;
  endedAt: Date;
}

export async function readPass(db: Queryable): Promise<IntegrityPass> {
  const [row] = await db.query<Omit<IntegrityPass, 'endedAt'> & { endedAt: string }>(
    `select number::int as number, cursor, provenance.instant(ended_at) as "endedAt",
       (extract(epoch from now() - ended_at) * 1000)::float8 as "idleMs" from provenance.audit_pass`,
  );
  if (row === undefined) throw new Error('The table provenance.audit_pass has no row');
  return { ...row, endedAt: new Date(row.endedAt) };
}

export interface IntegrityStep {
  number: number;
  cursor: IntegrityCursor;
  findings: readonly IntegrityFinding[];
  /** A stage that ended before it checked all its items. Earlier findings of its kind stay. */
  kept?: Pick<IntegrityVisit, 'projectId' | 'stage'> | undefined;
}

export async function savePass(
  db: Queryable,
  { number, cursor, findings, kept }: IntegrityStep,
): Promise<void> {
  // Store the findings first. After a crash between the statements, the step then runs again.
  if (findings.length > 0)
    await db.query(
      `insert into provenance.audit_finding (project_id, kind, subject, problem, pass)
       select distinct "projectId", kind, subject, problem, $1::bigint
       from jsonb_to_recordset($2::jsonb) as f("projectId" uuid, kind text, subject text, problem text)
       on conflict (project_id, kind, subject, problem) do update set pass = excluded.pass`,
      [number, JSON.stringify(findings)],
    );
  // The kind of a finding is its stage. Only the stage `node` has findings of another kind, and it never ends early.
  if (kept !== undefined)
    await db.query(
      'update provenance.audit_finding set pass = $1 where project_id = $2 and kind = $3 and pass < $1',
      [number, kept.projectId, kept.stage],
    );
  await db.query('update provenance.audit_pass set number = $1, cursor = $2::jsonb', [
    number,
    JSON.stringify(toStoredCursor(cursor)),
  ]);
}

/** Deletes findings of earlier passes that this pass neither found again nor kept. */
export async function endPass(db: Queryable, number: number): Promise<void> {
  await db.query('delete from provenance.audit_finding where pass < $1', [number]);
  await db.query('update provenance.audit_pass set number = $1, cursor = null, ended_at = now()', [number]);
}

function countFindings(db: Queryable): Promise<{ kind: string; problem: string; count: number }[]> {
  return db.query(
    'select kind, problem, count(*)::int as count from provenance.audit_finding group by kind, problem order by 1, 2',
  );
}

/** Sorts before all ids. */
const NO_UUID = '00000000-0000-0000-0000-000000000000';

export async function readNextProject(db: Queryable, after: string | undefined): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select project_id as id from provenance.log_leaf where project_id > $1 order by project_id limit 1`,
    [after ?? NO_UUID],
  );
  return row?.id;
}

/** `isLogged`: the leaf has the kind, id and digest of the record. `isLinked`: the index columns match the body. */
export interface CheckedRecord {
  id: string;
  body: JsonObject;
  salts: Salts;
  /** Hex digits. */
  digest: string;
  isLogged: boolean;
  isLinked: boolean;
  isNewer: boolean;
  /** Number of records found, up to the limit of the query. The step may check fewer. */
  found: number;
}

/** A step ends with the record at which the total size reaches this limit. */
const MAX_STEP_BYTES = 2 ** 20;

export interface IntegrityPart {
  after: string | undefined;
  size: number;
  limit: number;
}

/** SQL conditions: the columns and edges of the row `r` match its body `r.once`. */
const IS_LINKED: Record<RecordKind, string> = {
  entity: `r.role = r.once->>'role'`,
  action: `r.type = r.once->>'type' and r.performed_by = r.once->>'performedBy'
    and r.session_id is not distinct from r.once->>'sessionId'
    and r.inputs = provenance.resolve_all($1, r.once->'inputCids')
    and r.outputs = provenance.resolve_all($1, r.once->'outputCids')
    and not exists (select from unnest(r.inputs) as named(cid) where not exists (
      select from provenance.action_input i where (i.project_id, i.cid, i.action_id) = ($1, named.cid, r.id)))
    and not exists (select from unnest(r.outputs) as named(cid) where not exists (
      select from provenance.action_output o join provenance.resource c using (project_id, cid)
      where (o.project_id, o.cid, o.action_id) = ($1, named.cid, r.id)))`,
  // An attribution gets the canonical CID of its content, unless this CID already has the same attribution.
  attribution: `r.entity_id = r.once->>'entityId' and r.role = r.once->>'role'
    and r.action_id is not distinct from (r.once->>'actionId')::uuid
    and (r.cid is not distinct from r.once->>'resourceCid'
      or r.cid = provenance.resolve($1, r.once->>'resourceCid'))`,
};

export function listChecked(
  db: Queryable,
  projectId: string,
  { kind, after, size, limit }: IntegrityPart & { kind: RecordKind },
): Promise<CheckedRecord[]> {
  const idType = kind === 'entity' ? 'text' : 'uuid';
  return db.query<CheckedRecord>(
    `select r.id::text as id, r.once as body, r.salts, encode(r.digest, 'hex') as digest,
       (l.kind = '${kind}' and l.record_id = r.id::text and l.digest = r.digest and r.once->>'id' = r.id::text)
         is true as "isLogged",
       (${IS_LINKED[kind]}) is true as "isLinked", r.leaf_index >= $3 as "isNewer", r.found
     from (
       -- The concatenation reads the body once, and not again for each member. It would change a body that is not an
       -- object.
       select page.*, case jsonb_typeof(page.body) when 'object' then page.body || '{}' else page.body end as once
       from (
         select page.*, count(*) over ()::int as found,
           sum(weight_bytes) over (order by id) - weight_bytes as bytes_before
         from (
           select * from provenance.${kind}
           where project_id = $1 and id > $2::${idType} order by id ${limitClause(limit)}
         ) page
       ) page
       where page.bytes_before < ${MAX_STEP_BYTES} offset 0
     ) r left join provenance.log_leaf l on l.project_id = $1 and l.leaf_index = r.leaf_index
     order by r.id`,
    [projectId, after ?? (kind === 'entity' ? '' : NO_UUID), size],
  );
}

/**
 * Checks the leaves from `from` to `to` (exclusive). `missing`: there is no leaf. `forsaken`: the leaf has no record.
 */
export async function findOrphanedLeaves(
  db: Queryable,
  projectId: string,
  { from, to }: { from: number; to: number },
): Promise<{ count: number; missing: number[]; forsaken: number[] }> {
  const [row] = await db.query<{ count: number; missing: number[] | null; forsaken: number[] | null }>(
    `with leaves as materialized (
       select l.leaf_index::int as at, l.kind, l.record_id from provenance.log_leaf l
       where l.project_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3
     )
     select (select count(*)::int from leaves) as count,
       (select array_agg(i::int order by i) from generate_series($2::bigint, $3::bigint - 1) i
        where i not in (select at from leaves)) as missing,
       (select array_agg(at order by at) from leaves where not case kind
          when 'entity' then exists (
            select from provenance.entity r where r.project_id = $1 and r.id = record_id)
          when 'action' then exists (
            select from provenance.action r where r.project_id = $1 and r.id = record_id::uuid)
          when 'attribution' then exists (
            select from provenance.attribution r where r.project_id = $1 and r.id = record_id::uuid)
          else exists (
            select from provenance.mention_statement r where r.project_id = $1 and r.leaf_index = at) end
       ) as forsaken`,
    [projectId, from, to],
  );
  return { count: row?.count ?? 0, missing: row?.missing ?? [], forsaken: row?.forsaken ?? [] };
}

export async function readCheckedTree(
  db: Queryable,
  projectId: string,
): Promise<{ size: number; root: string } | undefined> {
  const [row] = await db.query<{ size: number; root: string }>(
    `select size::int as size, encode(root, 'hex') as root from provenance.audited_tree where project_id = $1`,
    [projectId],
  );
  return row;
}

export async function saveCheckedTree(
  db: Queryable,
  projectId: string,
  { size, root }: { size: number; root: string },
): Promise<void> {
  await db.query(
    `insert into provenance.audited_tree (project_id, size, root) values ($1, $2, decode($3, 'hex'))
     on conflict (project_id) do update set size = excluded.size, root = excluded.root`,
    [projectId, size, root],
  );
}

/** Counts the contents whose first action is not among the first `size` leaves. */
export async function countNewerContents(
  db: Queryable,
  projectId: string,
  { cids, size }: { cids: readonly string[]; size: number },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from provenance.resource r
       join provenance.action a on a.project_id = $1 and a.id = r.root_action
     where r.project_id = $1 and r.cid = any($2::text[]) and a.leaf_index >= $3`,
    [projectId, cids, size],
  );
  return row?.count ?? 0;
}

/** `isSaid`: the action's inputs or outputs contain the content. `isNewer`: recorded after the visit began. */
export interface CheckedEdge {
  cid: string;
  actionId: string;
  isSaid: boolean;
  isNewer: boolean;
  /** Number of edges found, up to the limit of the query. The step may check fewer. */
  found: number;
}

/** Approximate largest size of the list of inputs or outputs of an action: `MAX_ACTION_CIDS` identifiers. */
const MAX_LIST_BYTES = 2 ** 18;
/** A step ends with the edge at which the total size of its lists reaches this limit, in bytes. */
const MAX_LISTS_BYTES = 2 ** 22;

export type EdgeDirection = 'in' | 'out';

const EDGES: Record<EdgeDirection, { table: string; member: string }> = {
  in: { table: 'action_input', member: 'inputs' },
  out: { table: 'action_output', member: 'outputs' },
};

/** A list of inputs or outputs is at most as large as the body of its action, whose size is known. */
export function listEdges(
  db: Queryable,
  projectId: string,
  {
    way,
    after,
    size,
    limit,
  }: {
    way: EdgeDirection;
    after: { cid: string; actionId: string } | undefined;
    size: number;
    limit: number;
  },
): Promise<CheckedEdge[]> {
  const { table, member } = EDGES[way];
  return db.query<CheckedEdge>(
    `select e.cid, e.action_id::text as "actionId", (e.cid = any(e.named)) is true as "isSaid",
       (e.leaf_index >= $4) is true as "isNewer", e.found
     from (
       select e.*, a.leaf_index, a.${member} as named, count(*) over ()::int as found,
         sum(least(coalesce(a.weight_bytes, 0), ${MAX_LIST_BYTES})) over (order by e.cid, e.action_id)
           - least(coalesce(a.weight_bytes, 0), ${MAX_LIST_BYTES}) as bytes_before
       from (
         select cid, action_id from provenance.${table}
         where project_id = $1 and (cid, action_id) > ($2, $3::uuid)
         order by cid, action_id ${limitClause(limit)}
       ) e left join provenance.action a on a.project_id = $1 and a.id = e.action_id
     ) e
     where e.bytes_before < ${MAX_LISTS_BYTES}
     order by e.cid, e.action_id`,
    [projectId, after?.cid ?? '', after?.actionId ?? NO_UUID, size],
  );
}

export interface IntegrityState {
  findings: { kind: string; problem: string; count: number }[];
  endedAt: Date;
}

export async function readIntegrityState(provenance: Queryable): Promise<IntegrityState> {
  const [findings, { endedAt }] = await Promise.all([countFindings(provenance), readPass(provenance)]);
  return { findings, endedAt };
}
