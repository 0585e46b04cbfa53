/**
 * A limit as a part of a statement's text. A prepared statement is planned without its parameters, and then expects a
 * tenth of all rows of a limit that is one. Each limit is another statement: pass those of the program, not of callers.
 */
export function limitClause(rows: number): string {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is no limit of rows`);
  return `limit ${rows}`;
}

const SMALLEST_BUCKET = 128;

/** The next power of two, for limits that callers choose: the statement limits itself to them by a parameter as well. */
export function toLimitAbove(rows: number): string {
  return limitClause(Math.max(SMALLEST_BUCKET, 2 ** Math.ceil(Math.log2(Math.max(1, rows)))));
}
