import type { IntegrityCursor, IntegrityVisit, Stage } from './deps.js';

/**
 * The stored position of a pass. `projectId`, `stage` and `after` come from the visit with the smallest project id.
 * Servers of earlier versions read only these three fields. They continue with this project and the projects after it.
 */
export interface StoredCursor extends Partial<IntegrityCursor> {
  projectId: string;
  stage: Stage;
  after?: string | undefined;
}

export function toStoredCursor(cursor: IntegrityCursor): StoredCursor {
  const first = firstOf(cursor.visits);
  if (first === undefined) throw new Error('A stored position of the integrity check has a visit');
  const { projectId, stage, after } = first;
  return { projectId, stage, after, ...cursor };
}

/**
 * Parses a stored position. When a server of an earlier version has changed it, the pass continues from `projectId`,
 * `stage` and `after`. `readSize` then reads the present size of the project's log.
 */
export async function parseCursor(
  { projectId, stage, after, visits = [], begun }: StoredCursor,
  readSize: (projectId: string) => Promise<number>,
): Promise<IntegrityCursor> {
  const first = firstOf(visits);
  const isMoved = first?.projectId !== projectId || first.stage !== stage || first.after !== after;
  if (!isMoved) return { visits, begun };
  const visit = { projectId, stage, after, size: await readSize(projectId), newer: 0 };
  return { visits: [visit], begun: projectId };
}

function firstOf(visits: readonly IntegrityVisit[]): IntegrityVisit | undefined {
  return [...visits].sort((a, b) => (a.projectId < b.projectId ? -1 : 1))[0];
}
