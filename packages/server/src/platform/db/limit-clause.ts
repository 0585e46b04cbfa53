/**
 * Returns a limit as SQL text. If the limit were a parameter, the planner of a prepared statement would expect a tenth
 * of all rows. Each different number creates another prepared statement, so pass only constants.
 */
export function limitClause(rows: number): string {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is not a valid row limit`);
  return `limit ${rows}`;
}

const SMALLEST_BUCKET = 128;

/**
 * Rounds a caller's limit up to a power of two, at least 128. The statement must also apply the exact limit as a
 * parameter.
 */
export function toLimitAbove(rows: number): string {
  return limitClause(roundUpLimit(rows));
}

/** Rounds a number of rows up to a power of two, at least 128. */
export function roundUpLimit(rows: number): number {
  return Math.max(SMALLEST_BUCKET, 2 ** Math.ceil(Math.log2(Math.max(1, rows))));
}
