import type { Project } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import type { Actor, ManagementDeps } from './deps.js';
import { type ProjectRow, readProjectRow } from './projects.sql.js';
import { noProject, requireMember } from './require-member.js';

/** A project of an organisation that the user who asks is a member of. */
export async function requireProject(
  deps: ManagementDeps,
  { userId }: Actor,
  projectId: string,
): Promise<Project> {
  await requireMember(deps.control, { accountId: userId, projectId }, 'project.read');
  return requireProjectRow(deps, deps.control, projectId);
}

/** Reads a project, without looking at the caller. */
export async function requireProjectRow(
  { publicUrl }: ManagementDeps,
  db: Queryable,
  projectId: string,
): Promise<Project> {
  const row = await readProjectRow(db, projectId);
  if (row === undefined) throw noProject(projectId);
  return toProject(row, publicUrl);
}

/** A project as it is shown: with the settings that clients expect and this version serves for none. */
export function toProject(row: ProjectRow, publicUrl: string | undefined): Project {
  return {
    ...row,
    apiUrl: publicUrl ?? null,
    chainId: null,
    contractAddress: null,
    rpcUrl: null,
  };
}
