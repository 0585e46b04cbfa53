import type { Database, Queryable } from '../../src/platform/db/database.js';

/** Waits for `onRows` to finish. */
export function watchDatabase<Row>(
  db: Database,
  onRows: (rows: readonly Row[]) => void | Promise<void>,
): Database {
  const watch = <Source extends Queryable>(source: Source): Source => ({
    ...source,
    async query(text: string, parameters?: readonly unknown[]) {
      const rows = await source.query<Row>(text, parameters);
      await onRows(rows);
      return rows as never;
    },
  });
  return { ...watch(db), transaction: (run, options) => db.transaction((tx) => run(watch(tx)), options) };
}
