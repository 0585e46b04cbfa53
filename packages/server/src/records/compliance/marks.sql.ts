import { type AiDisclosure, WITHOUT_AI } from '@colophon/model';
import type { Queryable } from '../../platform/db/database.js';
import { limitClause, toLimitAbove } from '../../platform/db/limit-clause.js';
import { MARK_METHODS } from '../../search/mark-method.js';
import type { Position } from '../read/cursor.js';

/** Recording times (RFC 3339 in UTC). A period includes `from` and excludes `to`. */
export interface Period {
  from: string;
  to: string;
}

export interface FingerprintRule {
  method: string;
  /** A PostgreSQL regular expression. */
  types: string;
  minBytes: number;
  maxBytes: number;
  isDecodable: boolean;
}

export interface MarkFacts {
  type: string;
  aiDisclosure: AiDisclosure;
  hasManifest: boolean;
  watermarkMethod: string | null;
  fingerprint: 'added' | 'pending' | 'unavailable';
  fingerprintMethod: string | null;
}

export interface MarkGroup extends MarkFacts {
  count: number;
}

/** `id`: the action; `at`: its time of recording, with microseconds. */
export interface MarkRow extends MarkFacts, Position {
  cid: string;
  performedBy: string;
  mimeType: string | null;
}

/** A content whose action has no AI mark. `id` and `at` are those of this action. */
export interface UnmarkedRow extends Position {
  cid: string;
  markedCopy: { actionId: string; cid: string } | null;
  performedBy: string;
  type: string | null;
  mimeType: string | null;
}

/** `withCopy`: the number of unmarked contents with a marked copy. `newest`: at most `MAX_UNMARKED`. */
export interface UnmarkedPage extends CountedPage {
  unmarked: number;
  withCopy: number;
  newest: UnmarkedRow[];
}

/** A part of a count. `last`: the position of the last row. */
export interface CountedPage {
  read: number;
  last: Position | null;
  isEnd: boolean;
}

/** A page ends when its JSON reaches this size, in bytes. */
const MAX_PAGE_BYTES = 2 ** 21;

/** SQL. Parameters 1 to 4: project, `from`, and the time and id of the position. */
const within = (time: string, id: string, idType: string) =>
  `${time} >= $2::timestamptz and (${time}, ${id}) < ($3::timestamptz, $4::${idType})`;

const MARK = `r.body->'extensions'->'ext:mark@1.0.0'`;
/** SQL. The statement that no AI was used (`WITHOUT_AI`) is not a mark. */
const MARKED = `r.body->'extensions' ? 'ext:mark@1.0.0' and ${MARK} <> '${JSON.stringify(WITHOUT_AI)}'::jsonb`;
const AI_MARKED = `${MARK}->>'aiDisclosure' is not null`;
const toInstant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const lastOf = (time: string, id: string) =>
  `(select jsonb_build_object('at', ${toInstant(`p.${time}`)}, 'id', p.${id})
    from page p order by p.${time}, p.${id} limit 1)`;

/** Returns the position from which a read goes back in time. */
export const toEnd = ({ to }: Period, smallestId: string): Position => ({ at: to, id: smallestId });
export const SMALLEST_UUID = '00000000-0000-0000-0000-000000000000';
export const SMALLEST_CID = '';
/** Maximum number of records of one kind in a batch. */
const MAX_BATCH = 1_000;

/**
 * `near`: the next actions with a mark and with outputs. `page`: the newest of them, until their JSON reaches
 * `MAX_PAGE_BYTES`. `exactly`: the exact limit, when `clause` rounds it up (`toLimitAbove`). `offset 0` makes
 * PostgreSQL read the JSON of each action once, and only for `page`.
 */
const toPage = (clause: string, exactly = '') => `
  near as materialized (
    select * from (select r.id, r.recorded_at, r.performed_by, r.outputs[1] as cid, r.weight_bytes
    from provenance.action r where r.project_id = $1 and ${within('r.recorded_at', 'r.id', 'uuid')} and ${MARKED} and cardinality(r.outputs) > 0
    order by r.recorded_at desc, r.id desc ${clause}) r ${exactly}),
  page as materialized (
    select weighed.id, weighed.recorded_at, weighed.performed_by, weighed.cid, a.disclosure
    from (
      select weights.*, sum(weights.bytes) over (order by weights.recorded_at desc, weights.id desc) - weights.bytes
        as bytes_before
      from (select near.*, near.weight_bytes + coalesce(c.extension_bytes, 0) as bytes
        from near left join lateral (select r.extension_bytes from provenance.resource r
          where r.project_id = $1 and r.cid = near.cid offset 0) c on true) weights) weighed,
      lateral (select r.body->'extensions'->'ext:mark@1.0.0'->>'aiDisclosure' as disclosure from provenance.action r
        where r.project_id = $1 and r.id = weighed.id offset 0) a
    where weighed.bytes_before < ${MAX_PAGE_BYTES})`;

const METHOD_CASES = Object.entries(MARK_METHODS)
  .map(([alg, method]) => `when '${alg}' then '${method}'`)
  .join(' ');

/** SQL. Parameter 5: a list of `FingerprintRule`, as JSON. */
const FACTS = `
  select page.id, page.recorded_at, page.performed_by, page.cid, c.type, c.mime_type,
    page.disclosure as "aiDisclosure", c.c2pa is not null as "hasManifest",
    case c.c2pa->'watermark'->>'alg' ${METHOD_CASES} else c.c2pa->'watermark'->>'alg' end as "watermarkMethod",
    case when length(d.signs) > 0 then 'added' when d.cid is null and rule."isDecodable" then 'pending'
      else 'unavailable' end as fingerprint,
    case when length(d.signs) > 0 or d.cid is null and rule."isDecodable" then rule.method end as "fingerprintMethod"
  from page
    join lateral (select r.type, r.mime_type, r.size_bytes, r.extensions->'ext:c2pa@1.0.0' as c2pa
      from provenance.resource r where r.project_id = $1 and r.cid = page.cid offset 0) c on true
    left join lateral (
      select k.method, k."isDecodable"
      from jsonb_to_recordset($5::jsonb) k(method text, types text, "minBytes" bigint, "maxBytes" bigint, "isDecodable" boolean)
      where c.mime_type ~ k.types and c.size_bytes between k."minBytes" and k."maxBytes" limit 1) rule on true
    left join lateral (select d.cid, d.signs from provenance.descriptor d
      where d.project_id = $1 and d.method = rule.method and d.cid = page.cid offset 0) d on true`;

interface MarksQuery {
  from: string;
  after: Position;
}

/** Counts the contents of the next `limit` actions with a mark, in groups of equal facts. */
export async function countMarks(
  db: Queryable,
  projectId: string,
  { from, after, rules, limit }: MarksQuery & { rules: readonly FingerprintRule[]; limit: number },
): Promise<CountedPage & { groups: MarkGroup[] }> {
  const [row] = await db.query<CountedPage & { groups: MarkGroup[] }>(
    `with ${toPage(limitClause(limit))}, facts as materialized (${FACTS}),
     grouped as (
       select type, "aiDisclosure", "hasManifest", "watermarkMethod", fingerprint, "fingerprintMethod",
         count(*)::int as count
       from facts group by 1, 2, 3, 4, 5, 6)
     select (select count(*)::int from page) as read, ${lastOf('recorded_at', 'id')} as last,
       (select count(*) from near) < ${limit} and (select count(*) from near) = (select count(*) from page) as "isEnd",
       coalesce((select jsonb_agg(to_jsonb(grouped)) from grouped), '[]') as groups`,
    [projectId, from, after.at, after.id, JSON.stringify(rules)],
  );
  return row ?? { read: 0, last: null, isEnd: true, groups: [] };
}

/** Lists the contents of at most `limit` actions, newest first. `found` also counts actions beyond the size limit. */
export function listMarks(
  db: Queryable,
  projectId: string,
  { from, after, rules, limit }: MarksQuery & { rules: readonly FingerprintRule[]; limit: number },
): Promise<(MarkRow & { found: number })[]> {
  return db.query<MarkRow & { found: number }>(
    `with ${toPage(toLimitAbove(limit), 'order by r.recorded_at desc, r.id desc limit $6')}
     select (select count(*)::int from near) as found, facts.id::text as id, ${toInstant('facts.recorded_at')} as at, facts.cid,
       facts.performed_by as "performedBy", facts.type, facts.mime_type as "mimeType", facts."aiDisclosure",
       facts."hasManifest", facts."watermarkMethod", facts.fingerprint, facts."fingerprintMethod"
     from (${FACTS}) facts order by facts.recorded_at desc, facts.id desc`,
    [projectId, from, after.at, after.id, JSON.stringify(rules), limit],
  );
}

/** Maximum number of unmarked contents that a report names. */
export const MAX_UNMARKED = 20;
const NO_UNMARKED: UnmarkedPage = { read: 0, last: null, isEnd: true, unmarked: 0, withCopy: 0, newest: [] };

/** To find a marked copy, a report reads at most this number of actions that use the content. */
const MAX_USES = 20;
/** Maximum stored size of a list of inputs or outputs that a report reads, in bytes. */
const MAX_LIST_BYTES = 2_000;

/** SQL: whether an action has an AI mark. Reads an index, not the JSON of the action. */
const isAiMarked = (at: string, id: string) =>
  `coalesce((select r.id from provenance.action r
     where r.project_id = $1 and (r.recorded_at, r.id) >= (${at}, ${id}) and ${AI_MARKED}
     order by r.recorded_at, r.id limit 1) = ${id}, false)`;

/** SQL: the marked copy of a content. Its action has an AI mark, the content as first input, and one output. */
const copyOf = (cid: string) => `
  select marked.id as copy_id, marked.cid as copy_cid
  from (select i.action_id from provenance.action_input i where i.project_id = $1 and i.cid = ${cid}
      order by i.action_id ${limitClause(MAX_USES)}) used,
    lateral (select u.id from provenance.action u
      where u.project_id = $1 and u.id = used.action_id and ${isAiMarked('u.recorded_at', 'u.id')} offset 0) marking,
    lateral (select u.id, u.outputs[1] as cid from provenance.action u
      where u.project_id = $1 and u.id = marking.id
        and case when pg_column_size(u.inputs) <= ${MAX_LIST_BYTES} and pg_column_size(u.outputs) <= ${MAX_LIST_BYTES}
          then u.inputs[1] = ${cid} and cardinality(u.outputs) = 1 end offset 0) marked
  limit 1`;

const UNMARKED_ROWS = `(select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'at', ${toInstant('n.at')},
  'cid', n.cid, 'performedBy', n.performed_by, 'type', c.type, 'mimeType', c.mime_type,
  'markedCopy', case when n.copy_id is not null then jsonb_build_object('actionId', n.copy_id, 'cid', n.copy_cid) end)
  order by n.at desc, n.id desc), '[]')
  from newest n left join lateral (select r.type, r.mime_type from provenance.resource r
    where r.project_id = $1 and r.cid = n.cid offset 0) c on true)`;

/** Counts the next `limit` actions with an AI tool and without an AI mark. */
export async function countUnmarkedActions(
  db: Queryable,
  projectId: string,
  { from, after, limit }: MarksQuery & { limit: number },
): Promise<UnmarkedPage> {
  const [row] = await db.query<UnmarkedPage>(
    `with page as materialized (
       select r.recorded_at, r.id from provenance.action r
       where r.project_id = $1 and ${within('r.recorded_at', 'r.id', 'uuid')}
         and r.body->'extensions' ? 'ext:ai@1.0.0' and ${MARK}->>'aiDisclosure' is null
       order by r.recorded_at desc, r.id desc ${limitClause(limit)}),
     copied as materialized (
       select page.recorded_at, page.id, copy.copy_id, copy.copy_cid
       from page, lateral (
           select case when pg_column_size(r.outputs) <= ${MAX_LIST_BYTES} then r.outputs[1] end as cid
           from provenance.action r where r.project_id = $1 and r.id = page.id offset 0) made
         left join lateral (${copyOf('made.cid')}) copy on true),
     newest as materialized (
       select first.id, first.recorded_at as at, first.copy_id, first.copy_cid, a.cid, a.performed_by
       from (select copied.* from copied order by recorded_at desc, id desc ${limitClause(MAX_UNMARKED)}) first,
         lateral (select r.outputs[1] as cid, r.performed_by from provenance.action r
           where r.project_id = $1 and r.id = first.id offset 0) a
       where a.cid is not null)
     select count(*)::int as read, count(*)::int as unmarked,
       (select count(copied.copy_id)::int from copied) as "withCopy", ${UNMARKED_ROWS} as newest,
       ${lastOf('recorded_at', 'id')} as last, count(*) < ${limit} as "isEnd"
     from page`,
    [projectId, from, after.at, after.id],
  );
  return row ?? NO_UNMARKED;
}

/** Reads `limit` contents whose manifest states the use of AI. Counts those whose first action has no AI mark. */
export async function countUnmarkedManifests(
  db: Queryable,
  projectId: string,
  { from, after, limit }: MarksQuery & { limit: number },
): Promise<UnmarkedPage> {
  const [row] = await db.query<UnmarkedPage>(
    `with page as materialized (
       select r.created_at, r.cid, r.root_action from provenance.resource r
       where r.project_id = $1 and ${within('r.created_at', 'r.cid', 'text')}
         and r.extensions->'ext:c2pa@1.0.0'->>'aiDisclosure' is not null
       order by r.created_at desc, r.cid desc ${limitClause(limit)}),
     made as materialized (
       select page.created_at, page.cid, maker.id, maker.at, maker.performed_by, mark.is_marked
       from page, lateral (select r.id, r.recorded_at as at, r.performed_by from provenance.action r
           where r.project_id = $1 and r.id = page.root_action offset 0) maker,
         lateral (select ${isAiMarked('maker.at', 'maker.id')} as is_marked) mark),
     copied as materialized (
       select made.*, copy.copy_id, copy.copy_cid
       from (select made.* from made where not made.is_marked offset 0) made
         left join lateral (${copyOf('made.cid')}) copy on true),
     newest as materialized (
       select copied.* from copied order by copied.created_at desc, copied.cid desc ${limitClause(MAX_UNMARKED)})
     select (select count(*)::int from made) as read,
       (select count(*)::int from copied) as unmarked,
       (select count(copied.copy_id)::int from copied) as "withCopy", ${UNMARKED_ROWS} as newest,
       ${lastOf('created_at', 'cid')} as last, (select count(*) from made) < ${limit} as "isEnd"`,
    [projectId, from, after.at, after.id],
  );
  return row ?? NO_UNMARKED;
}

/** Counts leaves up to the last action or attribution before an instant, because leaves of entities have no time. */
export async function readSizeBefore(db: Queryable, projectId: string, instant: string): Promise<number> {
  // The inner limit makes PostgreSQL read records of the same time by the index that begins with the time.
  const last = (table: string, time: string) =>
    `(select max(same.leaf_index) + 1 from (
       select l.${time} as at from provenance.${table} l
       where l.project_id = $1 and (l.${time}, l.id) < ($2::timestamptz, '${SMALLEST_UUID}'::uuid)
       order by l.${time} desc, l.id desc limit 1) newest,
     lateral (select r.leaf_index from provenance.${table} r where r.project_id = $1 and r.${time} = newest.at
       and (r.${time}, r.id) >= (newest.at, '${SMALLEST_UUID}'::uuid) order by r.${time}, r.id ${limitClause(MAX_BATCH)}) same)`;
  const [row] = await db.query<{ size: number }>(
    `select coalesce(greatest(${last('action', 'recorded_at')}, ${last('attribution', 'created_at')}), 0)
       as size`,
    [projectId, instant],
  );
  return row?.size ?? 0;
}
