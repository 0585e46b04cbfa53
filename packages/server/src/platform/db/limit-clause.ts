/**
 * Returns the limit as a part of the SQL, because a limit as a parameter misleads the planner. Pass only constants:
 * each number makes another prepared statement.
 */
export function limitClause(rows: number): string {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is not a valid row limit`);
  return `limit ${rows}`;
}

const SMALLEST_BUCKET = 128;

/** The statement must also apply the exact limit as a parameter. */
export function toLimitAbove(rows: number): string {
  return limitClause(roundUpLimit(rows));
}

/** Rounds a number of rows up to a power of two, at least 128. */
export function roundUpLimit(rows: number): number {
  return Math.max(SMALLEST_BUCKET, 2 ** Math.ceil(Math.log2(Math.max(1, rows))));
}
