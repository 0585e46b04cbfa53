import type { Tx } from '../database.js';
import type { TableShape } from './tables.js';

const ROWS = 500;

/** The settings fix the text formats of values, so that every server reads the same value from a backup. */
export async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.exec(`set transaction isolation level repeatable read, read only;
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
    set local bytea_output = 'hex'; set local extra_float_digits = 1;
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
}

/**
 * Call it before the first query: a table that replaces another one later has no rows in the snapshot. A Citus cluster
 * has no such lock, so the operator stops the service during a backup.
 */
export async function lockForReading(tx: Tx, tables: readonly TableShape[]): Promise<void> {
  if (tx.isDistributed || tables.length === 0) return;
  await tx.exec(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`);
}

/** Yields pages of rows. A row is the text of a JSON array with one string or null for each column. */
export async function* dumpRows(tx: Tx, { name, columns }: TableShape): AsyncGenerator<string[]> {
  const values = columns.map((column) => `${column.name}::text`).join(', ');
  await tx.exec(
    `declare dumped no scroll cursor for select jsonb_build_array(${values})::text as texts from ${name}`,
  );
  for (;;) {
    const rows = await tx.query<{ texts: string }>(`fetch ${ROWS} from dumped`);
    if (rows.length > 0) yield rows.map(({ texts }) => texts);
    if (rows.length < ROWS) break;
  }
  await tx.exec('close dumped');
}
