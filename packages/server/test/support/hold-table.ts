import pg from 'pg';
import { runSql } from './postgres-databases.js';

/** A table that no other session can read until `release`. */
export interface HeldTable {
  /** Number of sessions of this database whose statement waits for the lock on a table. */
  countWaiting(): Promise<number>;
  release(): Promise<void>;
}

/** Locks a table, so that each statement on it takes as long as a test needs. `url` must not lead to a pooler. */
export async function holdTable(url: string, table: string): Promise<HeldTable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event = 'relation'`;
  return {
    countWaiting: async () => (await runSql(url, waiting)).length,
    // The end of the session ends its transaction. A second call has no effect.
    release: () => client.end(),
  };
}
