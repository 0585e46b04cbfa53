/**
 * A limit as a part of a statement's text. The planner does not see the parameters of a prepared statement, and for
 * a limit in a parameter it expects a tenth of all rows. Each limit is another statement, so pass constants of the
 * program, not values of callers.
 */
export function limitClause(rows: number): string {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is no limit of rows`);
  return `limit ${rows}`;
}

const SMALLEST_BUCKET = 128;

/** Rounds a caller's limit up to a power of two. The statement must also apply the exact limit as a parameter. */
export function toLimitAbove(rows: number): string {
  return limitClause(Math.max(SMALLEST_BUCKET, 2 ** Math.ceil(Math.log2(Math.max(1, rows)))));
}
