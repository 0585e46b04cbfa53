import type { Queryable } from '../../platform/db/database.js';
import { REVISION } from '../../transparency-log/revisions.sql.js';
import { ANCHORED, toActionText, toLeafJson, toRecordText, toResourceText } from './record-text.sql.js';

/** `depth`: maximum distance in actions; undefined: no limit. `limit`: maximum number of actions. */
export interface BundleQuery {
  cid: string;
  direction: 'ancestors' | 'descendants' | 'both';
  depth: number | undefined;
  limit: number;
}

/** SQL. `tables` ends with the table `found(id)`, which has at most $3 action ids. $1 is the project. */
interface HistoryTable {
  tables: string;
  /** SQL that adds the requested content (`content`), and the requested identifier if it is an alias (`asked`). */
  content: string;
  asked: string;
  /** SQL: whether actions exist beyond the depth (`beyond`), and whether the walk ended at `MOST_ROWS` (`isCut`). */
  beyond: string;
  isCut: string;
  /** Maximum number of inputs, and of outputs, of one action. */
  mostOfAction: number;
  columns: string;
}

const listOf = (json: string, order: string) => `coalesce(string_agg(${json}, ', ' order by ${order}), '')`;

const LEAF = (r: string) => `, ${r}.digest, ${r}.leaf_index, ${r}.salts`;
const LEAF_OF = (r: string) => `${r}.body, ${r}.erasure${LEAF(r)}`;

/** SQL: leaves of entities, then actions, then attributions, each in log order. */
const LEAVES = `case when size.fits then (
    select coalesce(jsonb_agg(${toLeafJson('l.kind', 'l')} order by l.place, l.leaf_index), '[]')::text
    from (
      select 1 as place, 'entity' as kind, e.id, ${LEAF_OF('e')} from entities e
      union all select 2, 'action', a.id::text, ${LEAF_OF('a')} from acts a
      union all select 3, 'attribution', t.id::text, ${LEAF_OF('t')} from attributions t) l) end`;

/** Maximum number of attributions, and of inputs and outputs of all actions together, that the statement reads. */
const MOST_STEPS = '(select greatest(1000, 20 * $3::int))';
/**
 * Maximum number of rows of a walk. Each action, content and link from a content to an action is one row, with a
 * limited depth one for each distance at which the walk finds it.
 */
const MOST_ROWS = '(select greatest(1000, 20 * $3::int) + 2 * $3::int)';
/** Bounds the links from actions to contents, which `MOST_ROWS` does not count. */
const MOST_OF_ACTION = 16;
/** Maximum stored size of a list, in bytes. A list of `MOST_OF_ACTION` identifiers is smaller. */
const MOST_LIST_BYTES = 8_192;

/**
 * Not an SQL function, so that PostgreSQL plans it once per connection. Each look-up has an optimization fence (`offset
 * 0`, or a limit). With it, the planner uses one index probe per row, even when its estimates are wrong.
 */
const toSql = (
  { tables, content, asked, beyond, isCut, mostOfAction, columns }: HistoryTable,
  { leaves = false } = {},
) => `
with recursive ${tables},
  flags as materialized (
    select ${ANCHORED} as anchored,
      (select n.alias from provenance.content_alias n where n.project_id = $1 order by n.alias limit 1) is not null
        as aliased
  ),
  acts as materialized (
    select a.* from found,
      lateral (select a.id, a.performed_by, a.inputs, a.outputs, a.body, a.digest, a.erasure, a.recorded_at,
                 a.leaf_index, a.weight_bytes
${leaves ? ', a.salts' : ''}
               from provenance.action a where a.project_id = $1 and a.id = found.id offset 0) a
  ),
  -- When the actions alone exceed the limits, the statement does not read the contents that they name. It reads the
  -- lists of inputs and outputs only when the JSON of the actions, which has these lists, is not too large.
  light as materialized (
    select coalesce(sum(a.weight_bytes), 0) <= $4::bigint as acts from acts a
  ),
  few as materialized (
    select case when light.acts then (
      select coalesce(sum(cardinality(a.inputs) + cardinality(a.outputs)), 0) <= ${MOST_STEPS}
        and coalesce(max(greatest(cardinality(a.inputs), cardinality(a.outputs))), 0) <= ${mostOfAction}
      from acts a) else false end as acts
    from light
  ),
  content as materialized (
    ${content}select unnest(a.outputs) as cid from acts a, few where few.acts
    union select unnest(a.inputs) from acts a, few where few.acts
  ),
  attributions as materialized (
    select t.* from (select t.* from acts,
      lateral (select t.entity_id, t.cid, t.id, t.body, t.erasure, t.created_at, t.weight_bytes${leaves ? LEAF('t') : ''}
               from provenance.attribution t where t.project_id = $1 and t.action_id = acts.id offset 0) t
    union all
    select t.entity_id, t.cid, t.id, t.body, t.erasure, t.created_at, t.weight_bytes${leaves ? LEAF('t') : ''} from content,
      lateral (select * from provenance.attribution t
               where t.project_id = $1 and t.cid = content.cid offset 0) t
    where t.action_id is null or t.action_id not in (select a.id from acts a)) t
    limit ${MOST_STEPS}
  ),
  named as materialized (
    select a.performed_by as id from acts a union select t.entity_id from attributions t
  ),
  entities as materialized (
    select e.* from named,
      lateral (select e.id, e.body, e.erasure, e.created_at, e.weight_bytes${leaves ? LEAF('e') : ''}
               from provenance.entity e where e.project_id = $1 and e.id = named.id offset 0) e
  ),
  resources as materialized (
    select r.* from content,
      lateral (select * from provenance.resource r where r.project_id = $1 and r.cid = content.cid offset 0) r
  ),
  size as materialized (
    select actions.count, actions.count < $3::int and few.acts and not (${isCut}) and attributions.count < ${MOST_STEPS}
        and named.count = entities.count
        and actions.bytes + attributions.bytes + entities.bytes + 500 * content.count + resources.bytes <= $4::bigint
        as fits
    from (select count(*)::int, coalesce(sum(a.weight_bytes), 0) as bytes from acts a) actions,
      (select count(*), coalesce(sum(t.weight_bytes), 0) as bytes from attributions t) attributions,
      (select count(*), coalesce(sum(e.weight_bytes), 0) as bytes from entities e) entities,
      (select coalesce(sum(r.extension_bytes), 0) as bytes from resources r) resources,
      (select count(*) from content) content,
      (select count(*) from named) named, few
  )
select ${leaves ? `${LEAVES} as leaves, ` : ''}size.count, size.fits, ${beyond} as beyond, ${REVISION}, ${columns},
  case when size.fits then (select ${listOf(toActionText('a', 'flags.anchored'), 'a.recorded_at, a.id')} from acts a) end as actions,
  case when size.fits then (
    select ${listOf(toRecordText('t'), 't.created_at, t.id')} from attributions t) end as attributions,
  case when size.fits then (
    select ${listOf(toRecordText('e'), 'e.created_at, e.id collate "C"')} from entities e) end as entities,
  case when size.fits then (select ${listOf(toResourceText('r'), 'r.created_at, r.cid collate "C"')} from resources r) end as resources,
  -- Aliases that actions and attributions use, with the canonical CIDs of the content.
  case when size.fits and flags.aliased then (
    select jsonb_object_agg(n.alias, n.cid)::text
    from (
      select used.cid
      from acts a, lateral jsonb_array_elements_text((a.body->'inputCids') || (a.body->'outputCids')) used(cid)
      where a.body->'inputCids' <> to_jsonb(a.inputs) or a.body->'outputCids' <> to_jsonb(a.outputs)
      union
      select t.body->>'resourceCid' from attributions t where t.body->>'resourceCid' <> t.cid
      ${asked}
    ) used,
      lateral (select n.alias, n.cid from provenance.content_alias n
               where n.project_id = $1 and n.alias = used.cid offset 0) n) end as aliases
from flags, size`;

type TraversalDirection = 'ancestors' | 'descendants';
const WAYS = {
  ancestors: { edges: 'provenance.action_output', next: 'a.inputs' },
  descendants: { edges: 'provenance.action_input', next: 'a.outputs' },
};

const ROOT = `root as materialized (
    select coalesce((select n.cid from provenance.content_alias n where n.project_id = $1 and n.alias = asked.cid),
      asked.cid) as cid
  )`;

/** With `counted`, rows have a distance, and the walk ends one step after depth $5. */
function walkTo(way: TraversalDirection, counted: boolean): string {
  const { edges, next } = WAYS[way];
  const level = (of: string) => (counted ? `, ${of}` : '');
  // With separate rows for contents and actions, the walk reaches an action once. Rows with both are links. They count
  // towards `MOST_ROWS`, but the walk does not continue from them.
  return `${way}(id, cid${level('level')}) as (
      select null::uuid, root.cid${level('0')} from root
    union
      select n.id, n.cid${level('n.level')} from ${way} w,
        lateral ((select e.action_id as id, unnest(array[null, w.cid]) as cid${level('w.level + 1 as level')}
                  from (select e.action_id from ${edges} e
                        where e.project_id = $1 and e.cid = w.cid
                        order by e.action_id limit (select $3::int)) e)
                 union all
                 select null, used.cid${level('w.level')} from provenance.action a, unnest(${next}[1:${MOST_OF_ACTION}]) as used(cid)
                 where a.project_id = $1 and a.id = w.id and pg_column_size(${next}) <= ${MOST_LIST_BYTES}
                   ${counted ? ' and w.level <= $5::int' : ''}
                 offset 0) n
      where w.id is null or w.cid is null
  ),
  ${way}_walked as materialized (select w.* from ${way} w limit ${MOST_ROWS})`;
}

/** SQL for the history of the content `asked.cid`, with its ownership claims and transfers. */
function toBundleSource(direction: BundleQuery['direction'], counted: boolean): HistoryTable {
  const ways = direction === 'both' ? (['ancestors', 'descendants'] as const) : [direction];
  const reached = (way: TraversalDirection) =>
    counted
      ? `select w.id from ${way}_walked w where w.id is not null and w.cid is null and w.level <= $5::int`
      : `(select w.id from ${way}_walked w where w.id is not null and w.cid is null limit (select $3::int))`;
  const anyWay = (test: (way: TraversalDirection) => string) => ways.map(test).join(' or ') || 'false';
  const isCut = anyWay((way) => `exists (select from ${way}_walked w offset ${MOST_ROWS} - 1)`);
  // Without a depth, the statement reads only as many rows of the walk as it needs for $3 actions.
  const cutBeforeLimit = counted ? isCut : `(size.count < $3::int and (${isCut}))`;
  const events = `(select e.action_id from root,
        lateral (select e.action_id from provenance.ownership_event e
                 where e.project_id = $1 and e.cid = root.cid order by e.leaf_index desc limit (select $3::int)) e)`;
  return {
    tables: `${[ROOT, ...ways.map((way) => walkTo(way, counted))].join(',\n  ')},
  found as materialized (
    select f.id from (${[...ways.map(reached), events].join(' union ')}) f limit (select $3::int)
  )`,
    content: 'select cid from root union ',
    asked: 'union select asked.cid from root where root.cid <> asked.cid',
    beyond: counted
      ? anyWay(
          (way) =>
            `exists (select from ${way}_walked w where w.id is not null group by w.id having min(w.level) > $5::int)`,
        )
      : 'false',
    isCut,
    mostOfAction: MOST_OF_ACTION,
    columns: `(select to_json(root.cid)::text from root) as cid, ${cutBeforeLimit} as "isCut", case when size.count = 0 then (
    select exists (select from provenance.resource r where r.project_id = $1 and r.cid = root.cid)
      or (select i.action_id from provenance.action_input i
          where i.project_id = $1 and i.cid = root.cid order by i.action_id limit 1) is not null
    from root) else true end as known`,
  };
}

const SESSION: HistoryTable = {
  tables: `found as materialized (
    select a.id from provenance.action a where a.project_id = $1 and a.session_id = $2
    order by a.recorded_at desc, a.id desc limit (select $3::int)
  )`,
  content: '',
  asked: '',
  beyond: 'false',
  isCut: 'false',
  mostOfAction: 64,
  columns: `jsonb_build_object('actions', size.count, 'entities', (select count(*) from entities),
    'resources', (select count(*) from resources), 'attributions', (select count(*) from attributions))::text as summary`,
};

const SESSION_SQL = toSql(SESSION);

/** SQL that runs `sql` for each of the contents $2, in order. */
const forEach = (sql: string) => `
select history.* from unnest($2::text[]) with ordinality as asked(cid, place), lateral (${sql} offset 0) history
order by asked.place`;

const toBundleSql = (direction: BundleQuery['direction']) => ({
  whole: forEach(toSql(toBundleSource(direction, false))),
  within: forEach(toSql(toBundleSource(direction, true))),
  leavedWhole: forEach(toSql(toBundleSource(direction, false), { leaves: true })),
  leavedWithin: forEach(toSql(toBundleSource(direction, true), { leaves: true })),
});
const BUNDLE_SQL = {
  ancestors: toBundleSql('ancestors'),
  descendants: toBundleSql('descendants'),
  both: toBundleSql('both'),
};

/** Each list is the JSON text of its items, with `, ` between them. */
export interface HistoryRow {
  /** False if the records exceed the limits. The lists are then null. */
  fits: boolean;
  count: number;
  /** Whether the history continues beyond the depth. */
  beyond: boolean;
  revision: number | null;
  actions: string;
  attributions: string;
  entities: string;
  resources: string;
  aliases: string | null;
}

/** `maxBytes`: limit for the JSON of each history. */
export type BundleRowQuery = Omit<BundleQuery, 'cid'> & { maxBytes: number };

/** `cid`: the canonical CID, as JSON text. `isCut`: whether the walk ended at its limit of rows. */
export type BundleRow = HistoryRow & { cid: string; known: boolean; isCut: boolean; leaves?: string };

/** Returns rows in the order of `cids`. A history beyond the limits has no lists. */
export async function readBundleRows(
  db: Queryable,
  projectId: string,
  {
    cids,
    direction,
    depth,
    limit,
    maxBytes,
    leaved,
  }: BundleRowQuery & { cids: readonly string[]; leaved?: true },
): Promise<BundleRow[]> {
  const { whole, within, leavedWhole, leavedWithin } = BUNDLE_SQL[direction];
  const [unbounded, bounded] = leaved ? [leavedWhole, leavedWithin] : [whole, within];
  const parameters = [projectId, cids, limit + 1, maxBytes];
  const rows = await (depth === undefined
    ? db.query<BundleRow>(unbounded, parameters)
    : db.query<BundleRow>(bounded, [...parameters, depth]));
  if (rows.length !== cids.length)
    throw new Error(
      'The query for several histories returned a number of rows other than the number of CIDs',
    );
  return rows;
}

export async function readBundleRow(
  db: Queryable,
  projectId: string,
  { cid, ...options }: BundleRowQuery & { cid: string; leaved?: true },
): Promise<BundleRow> {
  const [row] = await readBundleRows(db, projectId, { ...options, cids: [cid] });
  return row as BundleRow;
}

/** `summary`: the number of records of each kind, as JSON text. */
export type HistorySessionRow = HistoryRow & { summary: string };

export interface SessionRowQuery {
  sessionId: string;
  /** Maximum number of actions. */
  limit: number;
  maxBytes: number;
}

/** Beyond the limits, the row has no lists. */
export async function readSessionRow(
  db: Queryable,
  projectId: string,
  { sessionId, limit, maxBytes }: SessionRowQuery,
): Promise<HistorySessionRow | undefined> {
  const [row] = await db.query<HistorySessionRow>(SESSION_SQL, [projectId, sessionId, limit + 1, maxBytes]);
  return row;
}
