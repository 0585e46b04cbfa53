import type { Queryable } from '../db/database.js';

/** The projects that have turned anchoring off. */
export async function listUnanchoredProjects(control: Queryable): Promise<string[]> {
  const rows = await control.query<{ id: string }>('select id from control.project where not anchoring');
  return rows.map(({ id }) => id);
}
