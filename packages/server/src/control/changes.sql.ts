import type { Queryable, Tx } from '../platform/db/database.js';

/** PostgreSQL sends a NOTIFY on this channel when a transaction with `announceChange` commits. */
export const CHANGE_CHANNEL = 'colophon_control';

/** Undefined: any project may have changed. */
export type ChangedProjects = readonly string[] | undefined;

/**
 * `count`: the number of the last change. `projectIds`: the projects of the changes after the change number `after`, or
 * undefined if these changes are not all known.
 */
export async function readChanges(
  db: Queryable,
  after: number | undefined,
): Promise<{ count: number; projectIds: ChangedProjects }> {
  const [row] = await db.query<{ count: number; changes: string[][] | null }>(
    `select count, (select jsonb_agg(p.project_ids) from control.project_change p where p.number > $1) as changes
     from control.change_count`,
    [after ?? null],
  );
  const { count = 0, changes } = row ?? {};
  const isKnown = after !== undefined && changes?.length === count - after;
  return { count, projectIds: isKnown ? [...new Set(changes.flat())] : undefined };
}

/** Notifies every node when the transaction commits. */
export async function announceChange(tx: Tx, projectIds?: ChangedProjects): Promise<void> {
  if (projectIds === undefined) await tx.query('select control.announce_change()');
  else await tx.query('select control.announce_project_changes($1::uuid[])', [projectIds]);
}

/** Nodes of earlier versions send no payload. */
export function parseChangeNotice(payload: string): ChangedProjects {
  return payload === '' ? undefined : payload.split(',');
}
