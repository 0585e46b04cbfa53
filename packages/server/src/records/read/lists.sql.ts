import type { Queryable } from '../../platform/db/database.js';
import { limitClause, roundUpLimit } from '../../platform/db/limit-clause.js';
import { UNNAMED } from '../../platform/db/unnamed-statement.js';
import { REVISION } from '../../transparency-log/revisions.sql.js';
import type { Position } from './cursor.js';
import {
  type Access,
  type Filter,
  type ListName,
  MAX_SORTED_ROWS,
  SOURCES,
  STEP_ROWS,
} from './list-sources.sql.js';

export type ListFilters = Record<string, string | undefined>;

export interface ListPart {
  name: ListName;
  filters: ListFilters;
  after: Position | undefined;
}

/** A look-up for a row takes as long as the read of this number of rows. */
const ROWS_OF_LOOKUP = 4;

/** Returns the rows that count as read in one step. A step with look-ups counts more rows than it reads. */
export function countStepRows(
  { name, filters }: Omit<ListPart, 'after'>,
  driver: string | undefined,
): number {
  const looksUp = Object.entries(SOURCES[name].filters).some(
    ([filter, { test, further }]) =>
      filters[filter] !== undefined && (filter === driver ? further : test) !== undefined,
  );
  return looksUp ? ROWS_OF_LOOKUP * STEP_ROWS : STEP_ROWS;
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
  /** The last row that the step may read. Undefined when the list ended or the page was full before this row. */
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

function createParameters(projectId: string) {
  const values: unknown[] = [projectId];
  return { values, add: (value: unknown) => `$${values.push(value)}` };
}
type Parameters = ReturnType<typeof createParameters>;

/** Filters combine to hundreds of statements. With `UNNAMED`, the database does not prepare them. */
function toStart(filters: ListFilters): string {
  return Object.values(filters).filter((value) => value !== undefined).length > 1 ? UNNAMED : '';
}

interface GivenFilter extends Filter {
  name: string;
  test: string;
}

/** Adds the value of each filter as a parameter. */
function toGiven(
  { name, filters }: Omit<ListPart, 'after'>,
  kinds: readonly Access[],
  { add }: Parameters,
): GivenFilter[] {
  return Object.entries(SOURCES[name].filters).flatMap(([filter, given]) => {
    const { condition, access, test, matches, further } = given;
    const value = filters[filter];
    if (value === undefined || !kinds.includes(access)) return [];
    const place = add(value);
    const fill = (text: string) => text.replaceAll('$?', () => place);
    return [
      {
        ...{ name: filter, access, condition: fill(condition), test: fill(test ?? condition) },
        ...(matches === undefined ? {} : { matches: { ...matches, rows: fill(matches.rows) } }),
        ...(further === undefined ? {} : { further: { ...further, condition: fill(further.condition) } }),
      },
    ];
  });
}

/** SQL conditions that every index in the order of the list supports. */
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
 * Returns the filter whose index needs the fewest rows for a page; undefined for the index of all records. Of two
 * `ordered` filters, it is the one whose first `STEP_ROWS` rows reach further back.
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
  // A test of the name reads the complete body of each entity. The index of names needs no such test.
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
  { name, access, condition, matches, further }: GivenFilter,
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
  // Finds row number `STEP_ROWS` of each index. With `further`, a step reaches back only to the later of two rows.
  // `greatest` ignores null, which an index with fewer rows gives.
  const ends = [{ table, condition }, ...(further === undefined ? [] : [further])].map(
    (part) => `(
      select ${time} from ${part.table} where ${[...bounds, part.condition].join(' and ')}
      order by ${time} desc, ${id} desc offset ${STEP_ROWS - 1} limit 1
    )`,
  );
  return `select '${name}' as name, greatest(${ends.join(', ')}) as at, false as is_long`;
}

/** SQL of at most `read` rows, in the order of the list. */
function toStepRows(
  list: ListName,
  driver: Pick<GivenFilter, 'condition' | 'further'> | undefined,
  { bounds, read }: { bounds: readonly string[]; read: number },
): string {
  const { table, time, id } = SOURCES[list];
  const rows = (
    from: string,
    conditions: readonly string[],
  ) => `from ${from} where ${conditions.join(' and ')}
    order by ${time} desc, ${id} desc ${limitClause(read)}`;
  const driving = [...bounds, ...(driver === undefined ? [] : [driver.condition])];
  if (driver?.further === undefined) return rows(table, driving);
  const keys = `select ${id} as key_id, ${time} as key_at`;
  const further = [...bounds, driver.further.condition];
  return `from (
      select * from ((${keys} ${rows(table, driving)}) union (${keys} ${rows(driver.further.table, further)})) both_keys
      order by key_at desc, key_id desc ${limitClause(read)}
    ) keys, lateral (select r.* from ${table} where r.project_id = $1 and ${id} = keys.key_id offset 0) r
    order by ${time} desc, ${id} desc`;
}

/** Reads at most `STEP_ROWS` rows of one index, so the time of a statement does not grow with the project. */
export async function readListStep(
  db: Queryable,
  projectId: string,
  { driver, offset, limit, bytes, takesFirst, ...part }: ListStep,
): Promise<ListStepResult> {
  const { table, time, json, id, weight } = SOURCES[part.name];
  const parameters = createParameters(projectId);
  const bounds = toBounds(part, parameters);
  const given = toGiven(part, ['few', 'sorted', 'ordered', 'scanned'], parameters);
  const driving = given.find(({ name }) => name === driver);
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
             ${toStepRows(part.name, driving, { bounds, read })}
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
