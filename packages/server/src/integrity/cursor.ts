import type { IntegrityCursor, IntegrityVisit, Stage } from './deps.js';

/**
 * Servers of earlier versions read only `projectId`, `stage` and `after`, from the visit with the smallest project id.
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

/** After a change by a server of an earlier version, the pass continues from `projectId`, `stage` and `after`. */
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
