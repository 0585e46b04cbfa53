import { limitClause } from '../../platform/db/limit-clause.js';
import { ANCHORED, toActionText, toRecordText, toTitledResourceText } from './record-text.sql.js';

export type ListName = 'entities' | 'actions' | 'attributions' | 'resources';

/** Maximum number of rows that a statement reads by an index in the order of the list. */
export const STEP_ROWS = 1_000;

/** Maximum number of rows that a statement reads by an index in another order, and must sort. */
export const MAX_SORTED_ROWS = 5_000;

/**
 * How a filter selects rows. `ordered`, `sorted`: by an index in the order of the list, or in another order. `few`: by
 * an index that finds only a few rows. `range`: by times, which every `ordered` index supports. `scanned`: row by row.
 */
export type Access = 'ordered' | 'sorted' | 'few' | 'range' | 'scanned';

export interface Filter {
  /** SQL condition. `$?` stands for the value; $1 is the project. */
  condition: string;
  access: Access;
  /** SQL that tests one row; `condition` by default. Set when `condition` can miss rows. */
  test?: string;
  /** With `sorted`: SQL with one row for each match, and the maximum number of matches for which the index is used. */
  matches?: { rows: string; max: number };
  /** With `ordered`: a second table with the alias `r`. Records with the ids of its selected rows match too. */
  further?: { table: string; condition: string };
}

interface ListSource {
  /** The table with the alias `r`. */
  table: string;
  time: string;
  /** SQL for the JSON text of the record. */
  json: string;
  id: string;
  /** SQL: approximate length of the JSON, in bytes. */
  weight: string;
  idType: 'text' | 'uuid';
  filters: Record<string, Filter>;
}

/** The planner assumes that `between` with unknown bounds selects one row in 200, so it uses the index. */
const byIndex = (column: string): Filter => ({
  condition: `${column} = $? and ${column} between $? and $?`,
  access: 'ordered',
});
const range = (condition: string): Filter => ({ condition, access: 'range' });

/** Selects contents that the entity may have made. The list then omits those that it did not make. */
const MAKER: Filter = {
  ...byIndex('r.created_by'),
  test: `(r.created_by = $? or (select 1 from provenance.content_maker m
    where m.project_id = $1 and m.cid = r.cid and m.entity_id = $?) is not null)`,
  further: { table: 'provenance.content_maker r', condition: byIndex('r.entity_id').condition },
};

const RECORD = { id: 'r.id', weight: 'r.weight_bytes' };

const NAME = byIndex("(r.body->>'name')");

/** Maximum number of words in the search for titles. */
export const MAX_TITLE_WORDS = 5;

/** The scalar subqueries call `folded` once, not for each row. */
const BEGINS = `w.word >= (select provenance.folded($?)) and w.word < (select provenance.folded($?) || chr(1114111))`;
const WORDS = 'from provenance.title_word w where w.project_id = $1';

/** A statement uses the array of `condition` only for a word with few matches. */
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

export const SOURCES: Record<ListName, ListSource> = {
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
      maker: MAKER,
      since: range('r.created_at >= $?::timestamptz'),
      until: range('r.created_at < $?::timestamptz'),
      ...TITLE_WORDS,
      tool: byIndex('r.tool'),
      /** Most contents have the level 0 (no statement about AI), and the index omits them. */
      ai: {
        condition: 'r.ai = $?::smallint and r.ai between $?::smallint and $?::smallint and r.ai > 0',
        access: 'ordered',
      },
      withoutAi: { condition: 'r.ai = $?::smallint', access: 'scanned' },
      mimeType: { condition: 'r.mime_type = $?', access: 'scanned' },
      /** The part of a media type before its subtype, such as `image/`. */
      mimeFamily: { condition: 'starts_with(r.mime_type, $?)', access: 'scanned' },
      /** CIDs with spaces between them. */
      cids: { condition: "r.cid = any(string_to_array($?, ' '))", access: 'few' },
    },
  },
};
