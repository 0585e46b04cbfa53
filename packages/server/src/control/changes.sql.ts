import type { Queryable, Tx } from '../platform/db/database.js';

/** PostgreSQL sends a NOTIFY on this channel when a transaction with `announce_change` commits. */
export const CHANGE_CHANNEL = 'colophon_control';

export async function readChangeCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count from control.change_count');
  return row?.count ?? 0;
}

/** Notifies every node, when the transaction commits, that keys or projects have changed. */
export async function announceChange(tx: Tx): Promise<void> {
  await tx.query('select control.announce_change()');
}
