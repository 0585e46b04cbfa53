import { limitClause } from '../../platform/db/limit-clause.js';
import { creatorOf, isUncorrected } from './record-text.sql.js';

/** Number of rows of an index that one statement reads, in the order of the list. Takes some milliseconds. */
export const STEP_ROWS = 1_000;

/**
 * How a filter selects rows. `ordered`: by an index in the order of the list. `sorted`: by an index in another order.
 * `few`: by an index, a few rows. `range`: by a range of times, in any index in the order of the list. `scanned`: by no
 * index.
 */
export type Access = 'ordered' | 'sorted' | 'few' | 'range' | 'scanned';

export interface Filter {
  /** SQL condition. `$?` stands for the value; $1 is the project. */
  condition: string;
  access: Access;
  /** Further rows that the filter selects: a table with their times and ids, and a condition by an index of it. */
  also?: { table: string; condition: string };
  /** SQL that tests one row. Set when the condition itself would read rows of all records. */
  test?: string;
  /**
   * For `sorted`: SQL that returns one row per match, and the maximum number of matches for which the index is used. By
   * default, `condition` and `MAX_SORTED_ROWS` of the list.
   */
  matches?: { rows: string; max: number };
}

/**
 * Makes PostgreSQL use the index of a column even when almost all rows have the same value. The planner assumes that
 * `between` with unknown bounds selects one row in 200.
 */
export const byIndex = (column: string): Filter => ({
  condition: `${column} = $? and ${column} between $? and $?`,
  access: 'ordered',
});
export const range = (condition: string): Filter => ({ condition, access: 'range' });

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

/** Contents that the value created: those without a correction, and those for which a correction names the value. */
export const CREATOR: Filter = {
  ...byIndex('r.created_by'),
  condition: `${byIndex('r.created_by').condition} and ${isUncorrected('r')}`,
  also: {
    table: 'provenance.content_correction r',
    condition: 'r.creator = $? and r.creator between $? and $?',
  },
  test: `${creatorOf('r')} = $?`,
};

export const TITLE_WORDS = Object.fromEntries(
  Array.from({ length: MAX_TITLE_WORDS }, (_, place) => [`titleWord${place}`, TITLE_WORD]),
);
