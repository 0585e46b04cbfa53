import type { Queryable } from '../platform/db/database.js';

/** `isForAll` makes all logs public. `projectId` is a UUID. */
export async function hasPublicLog(
  db: Queryable,
  projectId: string,
  { isForAll }: { isForAll: boolean },
): Promise<boolean> {
  const rows = await db.query(
    'select from control.project where id = $1 and deleted_at is null and ($2::boolean or public_log)',
    [projectId, isForAll],
  );
  return rows.length > 0;
}
