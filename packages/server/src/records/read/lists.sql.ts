import type { Queryable } from '../../platform/db/database.js';
import { limitClause, roundUpLimit } from '../../platform/db/limit-clause.js';
import { UNNAMED } from '../../platform/db/unnamed-statement.js';
import { REVISION } from '../../transparency-log/revisions.sql.js';
import type { Position } from './cursor.js';
import { ANCHORED, toActionText, toRecordText, toTitledResourceText } from './record-text.sql.js';

export type ListName = 'entities' | 'actions' | 'attributions' | 'resources';

/** Number of rows of an index that one statement reads, in the order of the list, in some milliseconds. */
export const STEP_ROWS = 1_000;

/** Maximum number of matching rows for an index in another order. The statement must sort these rows. */
const MAX_SORTED_ROWS = 5_000;

/**
 * How a filter selects rows. `ordered`: by an index in the order of the list. `sorted`: by an index in another order.
 * `few`: by an index, a few rows. `range`: by a range of times, in any index in the order of the list. `scanned`: by no
 * index.
 */
type Access = 'ordered' | 'sorted' | 'few' | 'range' | 'scanned';

interface Filter {
  /** SQL condition. `$?` stands for the value; $1 is the project. */
  condition: string;
  access: Access;
  /** SQL that tests one row. Set when the condition itself would read rows of all records. */
  test?: string;
  /**
   * For `sorted`: SQL that returns one row per match, and the maximum number of matches for which the index is used. By
   * default, `condition` and `MAX_SORTED_ROWS`.
   */
  matches?: { rows: string; max: number };
}

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
  filters: Record<string, Filter>;
}

/**
 * Makes PostgreSQL use the index of a column even when almost all rows have the same value. The planner assumes that
 * `between` with unknown bounds selects one row in 200.
 */
const byIndex = (column: string): Filter => ({
  condition: `${column} = $? and ${column} between $? and $?`,
  access: 'ordered',
});
const range = (condition: string): Filter => ({ condition, access: 'range' });

const RECORD = { id: 'r.id', weight: 'r.weight_bytes' };

const NAME = byIndex("(r.body->>'name')");

/** Maximum number of words in the search for titles. */
export const MAX_TITLE_WORDS = 5;

/** Title words that begin with the value. The scalar subqueries call `folded` once, not for each row. */
const BEGINS = `w.word >= (select provenance.folded($?)) and w.word < (select provenance.folded($?) || chr(1114111))`;
const WORDS = 'from provenance.title_word w where w.project_id = $1';

/**
 * Contents whose title has a word that begins with the value. A statement uses the array of `condition` only for a word
 * with few matches.
 */
const TITLE_WORD: Filter = {
  condition: `r.cid = any(array(select w.cid ${WORDS} and ${BEGINS} ${limitClause(2 * STEP_ROWS)}))`,
  access: 'sorted',
  // PostgreSQL runs a scalar subquery for each row, with an index look-up, and never for all titles at once.
  test: `(select 1 ${WORDS} and w.cid = r.cid and ${BEGINS} limit 1) is not null`,
  matches: { rows: `select 1 ${WORDS} and ${BEGINS}`, max: STEP_ROWS },
};

const TITLE_WORDS = Object.fromEntries(
  Array.from({ length: MAX_TITLE_WORDS }, (_, place) => [`titleWord${place}`, TITLE_WORD]),
);

const SOURCES: Record<ListName, ListSource> = {
  entities: {
    ...RECORD,
    table: 'provenance.entity r',
    time: 'r.created_at',
    json: toRecordText('r'),
    idType: 'text',
    filters: {
      role: byIndex('r.role'),
      name: { ...NAME, condition: `${NAME.condition} and r.body ? 'name'` },
    },
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
      since: range('r.recorded_at >= $?::timestamptz'),
      until: range('r.recorded_at < $?::timestamptz'),
    },
  },
  attributions: {
    ...RECORD,
    table: 'provenance.attribution r',
    time: 'r.created_at',
    json: toRecordText('r'),
    idType: 'uuid',
    filters: {
      actionId: { ...byIndex('r.action_id'), access: 'sorted' },
      entityId: byIndex('r.entity_id'),
      resourceCid: { condition: 'r.cid = (select provenance.resolve($1, $?))', access: 'ordered' },
      role: { condition: 'r.role = $?', access: 'scanned' },
    },
  },
  resources: {
    table: 'provenance.resource r',
    time: 'r.created_at',
    json: toTitledResourceText('r'),
    id: 'r.cid',
    weight: '(512 + r.extension_bytes)',
    idType: 'text',
    filters: {
      type: byIndex('r.type'),
      creator: byIndex('r.created_by'),
      since: range('r.created_at >= $?::timestamptz'),
      until: range('r.created_at < $?::timestamptz'),
      ...TITLE_WORDS,
      tool: byIndex('r.tool'),
      /** An AI level above 0. Most contents have the level 0 (no statement about AI), and the index omits them. */
      ai: {
        condition: 'r.ai = $?::smallint and r.ai between $?::smallint and $?::smallint and r.ai > 0',
        access: 'ordered',
      },
      withoutAi: { condition: 'r.ai = $?::smallint', access: 'scanned' },
      mimeType: { condition: 'r.mime_type = $?', access: 'scanned' },
      /** The part of a media type before its subtype, such as `image/`. */
      mimeFamily: { condition: 'starts_with(r.mime_type, $?)', access: 'scanned' },
      /** CIDs with spaces between them. A resource matches when it has one of them. */
      cids: { condition: "r.cid = any(string_to_array($?, ' '))", access: 'few' },
    },
  },
};

export type ListFilters = Record<string, string | undefined>;

/** The part of a list after a position, or the whole list. */
export interface ListPart {
  name: ListName;
  filters: ListFilters;
  after: Position | undefined;
}

/** The test of the words of a title takes as long as the read of about this number of rows. */
const ROWS_OF_TEST = 4;

/**
 * Returns the number of rows that count as read in one step of a page. If a step looks up each row in another table,
 * more rows count than the step reads.
 */
export function countStepRows(
  { name, filters }: Omit<ListPart, 'after'>,
  driver: string | undefined,
): number {
  const isTested = Object.entries(SOURCES[name].filters).some(
    ([filter, { test }]) => test !== undefined && filter !== driver && filters[filter] !== undefined,
  );
  return isTested ? ROWS_OF_TEST * STEP_ROWS : STEP_ROWS;
}

export interface ListStep extends ListPart {
  /** The filter whose index the step reads; undefined for the index of all records. */
  driver: string | undefined;
  /** Number of matching rows to skip. */
  offset: number;
  limit: number;
  /** Maximum size of the rows together. */
  bytes: number;
  /** Returns the first row even if it is larger than `bytes`. */
  takesFirst: boolean;
}

/** `text`: JSON of the record. */
export interface ListRow extends Position {
  text: string;
}

export interface ListStepResult {
  rows: ListRow[];
  /** Whether rows within the limit are missing, since they exceed `bytes`. */
  isCut: boolean;
  /** The last row that the step may read; undefined when the list ends or the page is full before this row. */
  end: Position | undefined;
  /** Number of matching rows that the step skipped. Only valid with `end`. */
  skipped: number;
  revision: number | undefined;
}

interface StepRow extends Position {
  text: string | null;
  found: number;
  matched: number;
  isEnd: boolean;
  revision: number | null;
}

/** Collects the parameters of a statement. */
function createParameters(projectId: string) {
  const values: unknown[] = [projectId];
  return { values, add: (value: unknown) => `$${values.push(value)}` };
}
type Parameters = ReturnType<typeof createParameters>;

/**
 * Returns the prefix of a statement. With several filters, returns `UNNAMED`, so that the database does not prepare the
 * statement. The combinations of filters give hundreds of different statements.
 */
function toStart(filters: ListFilters): string {
  return Object.values(filters).filter((value) => value !== undefined).length > 1 ? UNNAMED : '';
}

interface GivenFilter extends Filter {
  name: string;
  test: string;
}

/** Returns the filters that have a value and one of these kinds of access. Adds each value as a parameter. */
function toGiven(
  { name, filters }: Omit<ListPart, 'after'>,
  kinds: readonly Access[],
  { add }: Parameters,
): GivenFilter[] {
  return Object.entries(SOURCES[name].filters).flatMap(([filter, { condition, access, test, matches }]) => {
    const value = filters[filter];
    if (value === undefined || !kinds.includes(access)) return [];
    const place = add(value);
    const fill = (text: string) => text.replaceAll('$?', () => place);
    return [
      {
        ...{ name: filter, access, condition: fill(condition), test: fill(test ?? condition) },
        ...(matches === undefined ? {} : { matches: { ...matches, rows: fill(matches.rows) } }),
      },
    ];
  });
}

/** SQL conditions that every index in the order of the list supports: the project, the time and the position. */
function toBounds({ after, ...part }: ListPart, parameters: Parameters): string[] {
  const { add } = parameters;
  const { time, id, idType } = SOURCES[part.name];
  const ranges = toGiven(part, ['range'], parameters).map(({ condition }) => condition);
  const position =
    after === undefined
      ? []
      : [`(${time}, ${id}) < (${add(after.at)}::timestamptz, ${add(after.id)}::${idType})`];
  return ['r.project_id = $1', ...ranges, ...position];
}

/**
 * Returns the filter whose index needs the fewest rows for a page; undefined for the index of all records. Runs a
 * statement only when there is a choice. Of two `ordered` filters, it returns the one with fewer than `STEP_ROWS` rows
 * in this part of the list. If both have more, it returns the one whose first `STEP_ROWS` rows reach further back.
 */
export async function chooseDriver(
  db: Queryable,
  projectId: string,
  part: ListPart,
): Promise<string | undefined> {
  const parameters = createParameters(projectId);
  const drivers = toGiven(part, ['few', 'sorted', 'ordered'], parameters);
  const few = drivers.find(({ access }) => access === 'few');
  if (few !== undefined) return few.name;
  // A test of the name reads the complete body of each entity. A read by the index of names needs no such test.
  if (drivers.some(({ name }) => name === 'name')) return 'name';
  const ordered = drivers.filter(({ access }) => access === 'ordered');
  if (drivers.length < 2 && ordered.length === drivers.length) return ordered[0]?.name;
  const bounds = ordered.length === 0 ? [] : toBounds(part, parameters);
  const probes = drivers.map((driver) => toProbe(part.name, driver, bounds));
  const [best] = await db.query<{ name: string }>(
    `${toStart(part.filters)}select probe.name from (${probes.join(' union all ')}) probe
     where not probe.is_long order by probe.at asc nulls first limit 1`,
    parameters.values,
  );
  return best?.name;
}

function toProbe(
  list: ListName,
  { name, access, condition, matches }: GivenFilter,
  bounds: readonly string[],
): string {
  const { table, time, id } = SOURCES[list];
  if (access === 'sorted') {
    const { rows, max } = matches ?? {
      rows: `select 1 from ${table} where r.project_id = $1 and ${condition}`,
      max: MAX_SORTED_ROWS,
    };
    return `select '${name}' as name, null::timestamptz as at,
      (select count(*) from (${rows} ${limitClause(max + 1)}) counted) > ${max} as is_long`;
  }
  return `select '${name}' as name, (
      select ${time} from ${table} where ${[...bounds, condition].join(' and ')}
      order by ${time} desc, ${id} desc offset ${STEP_ROWS - 1} limit 1
    ) as at, false as is_long`;
}

/**
 * Reads the next rows of a list, newest first. Reads at most `STEP_ROWS` rows of the index of the filter `driver`, and
 * tests the other filters on these rows only. So the time of a statement does not grow with the project.
 */
export async function readListStep(
  db: Queryable,
  projectId: string,
  { driver, offset, limit, bytes, takesFirst, ...part }: ListStep,
): Promise<ListStepResult> {
  const { table, time, json, id, weight } = SOURCES[part.name];
  const parameters = createParameters(projectId);
  const bounds = toBounds(part, parameters);
  const given = toGiven(part, ['few', 'sorted', 'ordered', 'scanned'], parameters);
  const driving = given.filter(({ name }) => name === driver).map(({ condition }) => condition);
  const tested = given.filter(({ name }) => name !== driver).map(({ test }) => `(${test})`);
  // Without a test, every row matches. A smaller limit keeps the planner from sorting a small project.
  const read = tested.length > 0 ? STEP_ROWS : Math.min(STEP_ROWS, roundUpLimit(limit + offset));
  const { add } = parameters;
  const skip = `${add(offset)}::int`;
  const rows = await db.query<StepRow>(
    `${toStart(part.filters)}select case when page.is_shown and page.fits then ${json} end as text, page.id::text as id, page.found, page.matched::int,
       page.is_end as "isEnd", ${REVISION},
       to_char(page.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from (
       select weighed.*, weighed.sum_bytes <= ${add(bytes)} or weighed.place <= ${add(takesFirst ? 1 : 0)} as fits from (
       select light.*, count(*) filter (where light.is_shown) over ()::int as found, row_number() over newest as place,
         sum(case when light.is_shown then light.weight_bytes else 0 end) over newest as sum_bytes
       from (
         select numbered.*, numbered.matches and numbered.matched > ${skip} as is_shown,
           numbered.row_number = ${read} as is_end
         from (
           select near.*, row_number() over newest, count(*) filter (where near.matches) over newest as matched
           from (
             select ${id} as id, ${time} as at, ${weight} as weight_bytes, ${['true', ...tested].join(' and ')} as matches
             from ${table} where ${[...bounds, ...driving].join(' and ')}
             order by ${time} desc, ${id} desc ${limitClause(read)}
           ) near
           window newest as (order by near.at desc, near.id desc)
         ) numbered
         where (numbered.matches and numbered.matched > ${skip}) or numbered.row_number = ${read}
         order by numbered.at desc, numbered.id desc limit ${add(limit)}
       ) light
       window newest as (order by light.at desc, light.id desc)
       ) weighed
     ) page,
       lateral (select r.* from ${table} where r.project_id = $1 and ${id} = page.id offset 0) r
     where page.place = 1 or page.fits or page.is_end
     order by page.place`,
    parameters.values,
  );
  return toResult(rows, offset);
}

function toResult(rows: readonly StepRow[], offset: number): ListStepResult {
  const shown = rows.flatMap(({ text, at, id }) => (text === null ? [] : [{ text, at, id }]));
  const end = rows.find(({ isEnd }) => isEnd);
  return {
    rows: shown,
    isCut: (rows[0]?.found ?? 0) > shown.length,
    end: end && { at: end.at, id: end.id },
    skipped: Math.min(offset, end?.matched ?? 0),
    revision: rows[0]?.revision ?? undefined,
  };
}
