import type { Project } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import type { Actor, ManagementDeps } from './deps.js';
import { type ProjectItemRow, readProjectRow } from './projects.sql.js';
import { noProject, requireMember } from './require-member.js';

export async function requireProject(
  deps: ManagementDeps,
  { userId }: Actor,
  projectId: string,
): Promise<Project> {
  await requireMember(deps.control, { accountId: userId, projectId }, 'project.read');
  return requireProjectRow(deps, deps.control, projectId);
}

export async function requireProjectRow(
  { publicUrl }: ManagementDeps,
  db: Queryable,
  projectId: string,
): Promise<Project> {
  const row = await readProjectRow(db, projectId);
  if (row === undefined) throw noProject(projectId);
  return toProject(row, publicUrl);
}

/** This version does not use the settings that are null here. */
export function toProject<Row extends ProjectItemRow>(row: Row, publicUrl: string | undefined) {
  return { ...row, apiUrl: publicUrl ?? null, chainId: null, contractAddress: null, rpcUrl: null };
}
