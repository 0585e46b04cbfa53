import type { Queryable } from '../../platform/db/database.js';
import type { RecordLeaf } from './record-text.sql.js';
import { ANCHORED, toActionText, toLeafJson, toRecordText, toResourceText } from './record-text.sql.js';

/** Maximum number of rows that one statement returns. On the embedded engine, all other statements wait for it. */
export const MOST_ROWS = 4_000;

export type HistoryDirection = 'ancestors' | 'descendants';

/** An action of a history. `at`: microseconds since 1970; `bytes`: approximate size as JSON. */
export interface ActionKey {
  id: string;
  at: number;
  performedBy: string;
  inputs: string[];
  outputs: string[];
  bytes: number;
}

export interface AttributionKey {
  id: string;
  at: number;
  entityId: string;
  actionId: string | null;
  cid: string | null;
  role: string;
  bytes: number;
}

export interface NamedKey {
  id: string;
  at: number;
  bytes: number;
}

const at = (time: string) => `(extract(epoch from ${time}) * 1000000)::int8 as at`;

export async function readRoot(db: Queryable, projectId: string, name: string): Promise<string> {
  const [row] = await db.query<{ cid: string }>('select provenance.resolve($1, $2) as cid', [
    projectId,
    name,
  ]);
  return row?.cid ?? name;
}

/** `after`: id of the last action that was read for this content. */
export interface TraversalPosition {
  cid: string;
  after: string;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export function toTrail(cid: string): TraversalPosition {
  return { cid, after: FIRST_ID };
}

const EDGES = { ancestors: 'provenance.action_output', descendants: 'provenance.action_input' };

/** `unfinished`: positions after which there may be more actions. */
export async function follow(
  db: Queryable,
  projectId: string,
  { way, trails }: { way: HistoryDirection; trails: readonly TraversalPosition[] },
): Promise<{ ids: string[]; unfinished: TraversalPosition[] }> {
  const page = Math.ceil(MOST_ROWS / trails.length);
  const rows = await db.query<{ cid: string; id: string }>(
    `select trail.cid, e.action_id as id
     from unnest($2::text[], $3::uuid[]) as trail(cid, after),
       lateral (select e.action_id from ${EDGES[way]} e
                where e.project_id = $1 and e.cid = trail.cid and e.action_id > trail.after
                order by e.action_id limit (select $4::int)) e`,
    [projectId, trails.map(({ cid }) => cid), trails.map(({ after }) => after), page],
  );
  const seen = new Map<string, { count: number; last: string }>();
  for (const { cid, id } of rows) seen.set(cid, { count: (seen.get(cid)?.count ?? 0) + 1, last: id });
  const unfinished = [...seen].filter(([, { count }]) => count === page);
  return {
    ids: [...new Set(rows.map(({ id }) => id))],
    unfinished: unfinished.map(([cid, { last }]) => ({ cid, after: last })),
  };
}

/** Reads the newest `limit` ownership claims and transfers of a content, newest first. */
export async function readEventIds(
  db: Queryable,
  projectId: string,
  { cid, limit }: { cid: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.action_id as id from provenance.ownership_event e
     where e.project_id = $1 and e.cid = $2 order by e.leaf_index desc limit (select $3::int)`,
    [projectId, cid, limit],
  );
  return rows.map(({ id }) => id);
}

/** Oldest first, after the action `after`. */
export function readSessionKeys(
  db: Queryable,
  projectId: string,
  { sessionId, after, limit }: { sessionId: string; after: ActionKey | undefined; limit: number },
): Promise<ActionKey[]> {
  return db.query<ActionKey>(
    `select ${ACTION_KEY} from provenance.action a
     where a.project_id = $1 and a.session_id = $2
       and (a.recorded_at, a.id) > (coalesce((select l.recorded_at from provenance.action l
                                     where l.project_id = $1 and l.id = $3::uuid), '-infinity'), coalesce($3::uuid, $5::uuid))
     order by a.recorded_at, a.id limit (select $4::int)`,
    [projectId, sessionId, after?.id ?? null, limit, FIRST_ID],
  );
}

const ACTION_KEY = `a.id, ${at('a.recorded_at')}, a.performed_by as "performedBy", a.inputs, a.outputs,
  a.weight_bytes as bytes`;

export function readActionKeys(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ActionKey[]> {
  return db.query<ActionKey>(
    `select a.* from unnest($2::uuid[]) as given(id),
       lateral (select ${ACTION_KEY} from provenance.action a
                where a.project_id = $1 and a.id = given.id offset 0) a`,
    [projectId, ids],
  );
}

const ATTRIBUTION_KEY = `t.id, ${at('t.created_at')}, t.entity_id as "entityId", t.action_id as "actionId", t.cid, t.role,
  t.weight_bytes as bytes`;

/** `last`: the last attribution that was read. */
export interface AttributionPosition {
  id: string;
  last: AttributionKey | undefined;
}

/** `limit`: per action. In the order of the unique index: `cid` (null comes last), `entity_id` and `role`. */
export function readAttributionsOfActions(
  db: Queryable,
  projectId: string,
  { positions, limit }: { positions: readonly AttributionPosition[]; limit: number },
): Promise<AttributionKey[]> {
  const next = (where: string) => `(
    select ${ATTRIBUTION_KEY} from provenance.attribution t
    where t.project_id = $1 and t.action_id = given.id and ${where}
    order by t.cid, t.entity_id, t.role limit (select $6::int))`;
  return db.query<AttributionKey>(
    `select t.* from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as given(id, cid, entity_id, role),
       lateral (
         ${next('t.cid is not null and (t.cid, t.entity_id, t.role) > (given.cid, given.entity_id, given.role)')}
         union all
         ${next(`t.cid is null and (t.entity_id, t.role) > (
           case when given.cid is null then given.entity_id else '' end,
           case when given.cid is null then given.role else '' end)`)}
         limit (select $6::int)) t`,
    [
      projectId,
      positions.map(({ id }) => id),
      positions.map(({ last }) => (last === undefined ? '' : last.cid)),
      positions.map(({ last }) => last?.entityId ?? ''),
      positions.map(({ last }) => last?.role ?? ''),
      limit,
    ],
  );
}

/** `limit`: per content. Newest first. */
export function readAttributionsOfContent(
  db: Queryable,
  projectId: string,
  { positions, limit }: { positions: readonly AttributionPosition[]; limit: number },
): Promise<AttributionKey[]> {
  return db.query<AttributionKey>(
    `select t.* from unnest($2::text[], $3::int8[], $4::uuid[]) as given(cid, at, id),
       lateral (select ${ATTRIBUTION_KEY} from provenance.attribution t
                where t.project_id = $1 and t.cid = given.cid and (t.created_at, t.id) < (
                  case when given.at is null then 'infinity' else 'epoch'::timestamptz + given.at * interval '1 microsecond' end,
                  coalesce(given.id, '${FIRST_ID}'))
                order by t.created_at desc, t.id desc limit (select $5::int)) t`,
    [
      projectId,
      positions.map(({ id }) => id),
      positions.map(({ last }) => last?.at ?? null),
      positions.map(({ last }) => last?.id ?? null),
      limit,
    ],
  );
}

export function readEntityKeys(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<NamedKey[]> {
  return db.query<NamedKey>(
    `select e.* from unnest($2::text[]) as given(id),
       lateral (select e.id, ${at('e.created_at')}, e.weight_bytes as bytes from provenance.entity e
                where e.project_id = $1 and e.id = given.id offset 0) e`,
    [projectId, ids],
  );
}

export function readResourceKeys(
  db: Queryable,
  projectId: string,
  cids: readonly string[],
): Promise<NamedKey[]> {
  return db.query<NamedKey>(
    `select r.* from unnest($2::text[]) as given(cid),
       lateral (select r.cid as id, ${at('r.created_at')}, coalesce(r.extension_bytes, 0) as bytes
                from provenance.resource r where r.project_id = $1 and r.cid = given.cid offset 0) r`,
    [projectId, cids],
  );
}

const RENDERED = {
  actions: {
    table: 'action',
    key: 'id',
    type: 'uuid',
    text: toActionText('r', 'flags.anchored'),
    leaf: 'action',
  },
  attributions: {
    table: 'attribution',
    key: 'id',
    type: 'uuid',
    text: toRecordText('r'),
    leaf: 'attribution',
  },
  entities: { table: 'entity', key: 'id', type: 'text', text: toRecordText('r'), leaf: 'entity' },
  resources: { table: 'resource', key: 'cid', type: 'text', text: toResourceText('r'), leaf: undefined },
};

export type Rendered = keyof typeof RENDERED;

/** `text`: JSON of the records, with `, ` between them. */
export interface RenderedPart {
  text: string;
  /** Empty unless requested. Resources have no leaves. */
  leaves: RecordLeaf[];
}

/** Renders records as the API shows them, in the order of `ids`. */
export async function renderRecords(
  db: Queryable,
  projectId: string,
  { kind, ids, isLeaved }: { kind: Rendered; ids: readonly string[]; isLeaved: boolean },
): Promise<RenderedPart> {
  const { table, key, type, text, leaf } = RENDERED[kind];
  const leaves = isLeaved && leaf !== undefined ? `jsonb_agg(${toLeafJson(`'${leaf}'`, 'r')})::text` : 'null';
  const [row] = await db.query<{ text: string | null; leaves: string | null }>(
    `select string_agg(${text}, ', ' order by given.place) as text, ${leaves} as leaves
     from (select ${ANCHORED} as anchored) flags, unnest($2::${type}[]) with ordinality as given(key, place),
       lateral (select * from provenance.${table} r where r.project_id = $1 and r.${key} = given.key offset 0) r`,
    [projectId, ids],
  );
  return { text: row?.text ?? '', leaves: JSON.parse(row?.leaves ?? '[]') };
}

/** Reads the aliases by which these records name content, with the canonical CIDs. */
export function readAliases(
  db: Queryable,
  projectId: string,
  { actions, attributions }: { actions: readonly string[]; attributions: readonly string[] },
): Promise<{ alias: string; cid: string }[]> {
  return db.query(
    `select distinct n.alias, n.cid
     from (
       select used.cid
       from unnest($2::uuid[]) as given(id),
         lateral (select a.body, a.inputs, a.outputs from provenance.action a
                  where a.project_id = $1 and a.id = given.id offset 0) a,
         lateral jsonb_array_elements_text((a.body->'inputCids') || (a.body->'outputCids')) used(cid)
       where a.body->'inputCids' <> to_jsonb(a.inputs) or a.body->'outputCids' <> to_jsonb(a.outputs)
       union
       select t.body->>'resourceCid'
       from unnest($3::uuid[]) as given(id),
         lateral (select t.body, t.cid from provenance.attribution t
                  where t.project_id = $1 and t.id = given.id offset 0) t
       where t.body->>'resourceCid' <> t.cid
     ) used,
       lateral (select n.alias, n.cid from provenance.content_alias n
                where n.project_id = $1 and n.alias = used.cid offset 0) n`,
    [projectId, actions, attributions],
  );
}
