import pg from 'pg';
import { runSql } from './postgres-databases.js';

/** No other session can read the table until `release`. */
export interface HeldTable {
  /** Counts the sessions whose statement waits for the lock. */
  countWaiting(): Promise<number>;
  release(): Promise<void>;
}

/** `url` must not lead to a pooler. */
export async function holdTable(url: string, table: string): Promise<HeldTable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  const waiting = `select from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event = 'relation'`;
  return {
    countWaiting: async () => (await runSql(url, waiting)).length,
    // The end of the session ends its transaction.
    release: () => client.end(),
  };
}
