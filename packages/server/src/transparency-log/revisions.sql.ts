import type { Queryable } from '../platform/db/database.js';

/** SQL column with the revision of project $1, from the same snapshot as the other columns of the query. */
export const REVISION = '(select v.number from provenance.revision v where v.project_id = $1) as revision';

/** A project without changes has no revision. */
export async function readRevisions(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; number: number }>(
    'select v.project_id as id, v.number from provenance.revision v where v.project_id = any($1::uuid[])',
    [projectIds],
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}
