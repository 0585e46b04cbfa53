import type { Tx } from '../database.js';
import type { TableShape } from './tables.js';

const ROWS = 500;

/** Begins a snapshot of the database. All values are texts that every PostgreSQL reads back unchanged. */
export async function beginSnapshot(tx: Tx): Promise<void> {
  await tx.exec(`set transaction isolation level repeatable read, read only;
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
    set local bytea_output = 'hex'; set local extra_float_digits = 1;
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
}

/** Yields the rows of a table as JSON arrays of texts, page by page. */
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
