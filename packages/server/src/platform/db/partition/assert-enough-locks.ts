import type { Queryable } from '../database.js';
import { NotPartitionableError } from './large-tables.js';

/**
 * Rejects when the server has too few locks. The replacement locks all tables, their partitions and their indexes in
 * one transaction. The tables of the server's locks also serve the running transactions, which get one half.
 */
export async function assertEnoughLocks(
  db: Queryable,
  tables: readonly string[],
  parts: number,
): Promise<void> {
  const [row] = await db.query<{ perPart: number; available: number; setting: number }>(
    `select (select count(*)::int from pg_class c left join pg_index i on i.indrelid = c.oid
         where c.relnamespace = 'provenance'::regnamespace and c.relname = any ($1::text[])) + $2::int as "perPart",
       current_setting('max_locks_per_transaction')::int as setting,
       current_setting('max_locks_per_transaction')::int
         * (current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) as available`,
    [tables, tables.length],
  );
  if (row === undefined) return;
  const needed = 2 * row.perPart * (parts + 1);
  if (needed <= row.available) return;
  const setting = Math.ceil((row.setting * needed) / row.available);
  throw new NotPartitionableError(
    `${parts} partitions of each table need ${needed} locks, and the server has ${row.available}. Use fewer partitions (\`--parts\`), or set max_locks_per_transaction of PostgreSQL to ${setting} or more, and restart PostgreSQL.`,
  );
}
