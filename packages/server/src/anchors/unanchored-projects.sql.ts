import type { Queryable } from '../platform/db/database.js';

/**
 * Returns the logs from `list`, without the projects that turned anchoring off. Reads the settings again after `list`,
 * because a project may turn anchoring off meanwhile.
 */
export async function listAnchoredLogs<Log extends { projectId: string }>(
  control: Queryable,
  list: (except: readonly string[]) => Promise<Log[]>,
): Promise<Log[]> {
  const logs = await list(await listUnanchoredProjects(control));
  if (logs.length === 0) return logs;
  const except = new Set(await listUnanchoredProjects(control));
  return logs.filter(({ projectId }) => !except.has(projectId));
}

async function listUnanchoredProjects(control: Queryable): Promise<string[]> {
  const rows = await control.query<{ id: string }>('select id from control.project where not anchoring');
  return rows.map(({ id }) => id);
}

export async function isUnanchored(control: Queryable, projectId: string): Promise<boolean> {
  const rows = await control.query('select 1 from control.project where id = $1 and not anchoring', [
    projectId,
  ]);
  return rows.length > 0;
}
