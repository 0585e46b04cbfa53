import type { Queryable } from '../../platform/db/database.js';
import { toLimitAbove } from '../../platform/db/limit-clause.js';
import { REVISION } from '../../transparency-log/revisions.sql.js';
import { MAX_PAGE_BYTES } from './answer-size.js';
import type { Position } from './cursor.js';
import { ANCHORED, toActionText, toRecordText, toResourceText } from './record-text.sql.js';

export type ListName = 'entities' | 'actions' | 'attributions' | 'resources';

interface ListSource {
  /** Table, with the alias `r`. */
  table: string;
  time: string;
  /** SQL for the JSON text of the record. */
  json: string;
  id: string;
  /** Approximate length of the JSON in bytes. */
  weight: string;
  idType: 'text' | 'uuid';
  /** Filter name -> SQL condition. `$?` is the place of the value; $1 is the project. */
  filters: Record<string, string>;
}

/**
 * Makes PostgreSQL use the index of a column even when almost all rows have the same value. The planner assumes that
 * `between` with unknown bounds selects one row in 200.
 */
const byIndex = (column: string) => `${column} = $? and ${column} between $? and $?`;

const RECORD = { id: 'r.id', weight: 'r.weight_bytes' };

const SOURCES: Record<ListName, ListSource> = {
  entities: {
    ...RECORD,
    table: 'provenance.entity r',
    time: 'r.created_at',
    json: toRecordText('r'),
    idType: 'text',
    filters: { role: byIndex('r.role'), name: `${byIndex("(r.body->>'name')")} and r.body ? 'name'` },
  },
  actions: {
    ...RECORD,
    table: 'provenance.action r',
    time: 'r.recorded_at',
    json: toActionText('r', ANCHORED),
    idType: 'uuid',
    filters: {
      type: byIndex('r.type'),
      sessionId: byIndex('r.session_id'),
      performedBy: byIndex('r.performed_by'),
      since: 'r.recorded_at >= $?::timestamptz',
      until: 'r.recorded_at < $?::timestamptz',
    },
  },
  attributions: {
    ...RECORD,
    table: 'provenance.attribution r',
    time: 'r.created_at',
    json: toRecordText('r'),
    idType: 'uuid',
    filters: {
      actionId: 'r.action_id = $?',
      entityId: byIndex('r.entity_id'),
      resourceCid: 'r.cid = (select provenance.resolve($1, $?))',
      role: 'r.role = $?',
    },
  },
  resources: {
    table: 'provenance.resource r',
    time: 'r.created_at',
    json: toResourceText('r'),
    id: 'r.cid',
    weight: '(512 + r.extension_bytes)',
    idType: 'text',
    filters: {
      type: byIndex('r.type'),
      creator: byIndex('r.created_by'),
      since: 'r.created_at >= $?::timestamptz',
      until: 'r.created_at < $?::timestamptz',
      /** CIDs with spaces between them. A resource matches when it has one of them. */
      cids: "r.cid = any(string_to_array($?, ' '))",
    },
  },
};

/** `after`: position before the first row of the page. `offset`: number of rows to skip. */
export interface ListQuery {
  filters: Record<string, string | undefined>;
  after: Position | undefined;
  offset: number;
  limit: number;
}

/**
 * `text`: JSON of the record. `found`: number of rows within `limit`, including those that exceed the size of a page.
 */
export interface ListRow extends Position {
  text: string;
  found: number;
  revision: number | null;
}

/** Reads rows of a list, newest first, up to the size of a page, but at least one. */
export function readList(
  db: Queryable,
  projectId: string,
  { name, options }: { name: ListName; options: ListQuery },
): Promise<ListRow[]> {
  const { table, time, json, id, weight, idType, filters } = SOURCES[name];
  const parameters: unknown[] = [projectId];
  const add = (value: unknown) => `$${parameters.push(value)}`;
  const conditions = ['r.project_id = $1'];
  for (const [filter, condition] of Object.entries(filters)) {
    const value = options.filters[filter];
    if (value === undefined) continue;
    const place = add(value);
    conditions.push(condition.replaceAll('$?', () => place));
  }
  if (options.after !== undefined) {
    const { at, id: last } = options.after;
    conditions.push(`(${time}, ${id}) < (${add(at)}::timestamptz, ${add(last)}::${idType})`);
  }
  return db.query<ListRow>(
    `select ${json} as text, page.id::text as id, page.found,
       ${REVISION}, to_char(page.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from (
       select light.*, count(*) over ()::int as found, row_number() over newest as place,
         sum(light.weight_bytes) over newest as sum_bytes
       from (
         select near.* from (
           select ${id} as id, ${time} as at, ${weight} as weight_bytes from ${table} where ${conditions.join(' and ')}
           order by ${time} desc, ${id} desc ${toLimitAbove(options.limit + options.offset)}
         ) near
         order by near.at desc, near.id desc limit ${add(options.limit)} offset ${add(options.offset)}
       ) light
       window newest as (order by light.at desc, light.id desc)
     ) page,
       lateral (select r.* from ${table} where r.project_id = $1 and ${id} = page.id offset 0) r
     where page.place = 1 or page.sum_bytes <= ${add(MAX_PAGE_BYTES)}
     order by page.place`,
    parameters,
  );
}
