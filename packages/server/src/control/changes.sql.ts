import type { Queryable, Tx } from '../platform/db/database.js';

/** The channel on which `announce_change` tells of changes (PostgreSQL's NOTIFY). */
export const CHANGE_CHANNEL = 'colophon_control';

/** How often keys or projects changed so far. */
export async function readChangeCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count from control.change_count');
  return row?.count ?? 0;
}

/** Tells every node, at commit, that keys or projects changed. */
export async function announceChange(tx: Tx): Promise<void> {
  await tx.query('select control.announce_change()');
}
