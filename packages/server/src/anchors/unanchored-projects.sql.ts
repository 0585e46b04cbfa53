import type { Queryable } from '../platform/db/database.js';

export async function listUnanchoredProjects(control: Queryable): Promise<string[]> {
  const rows = await control.query<{ id: string }>('select id from control.project where not anchoring');
  return rows.map(({ id }) => id);
}

export async function isUnanchored(control: Queryable, projectId: string): Promise<boolean> {
  const rows = await control.query('select 1 from control.project where id = $1 and not anchoring', [
    projectId,
  ]);
  return rows.length > 0;
}
