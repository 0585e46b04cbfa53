import type { Queryable, Tx } from '../platform/db/database.js';

/** The channel on which `announce_change` notifies of changes (PostgreSQL's NOTIFY). */
export const CHANGE_CHANNEL = 'colophon_control';

/** Reads how often keys or projects have changed. */
export async function readChangeCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count from control.change_count');
  return row?.count ?? 0;
}

/** Notifies every node of changed keys or projects when the transaction commits. */
export async function announceChange(tx: Tx): Promise<void> {
  await tx.query('select control.announce_change()');
}
