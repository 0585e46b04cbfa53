import type { MemberPrincipal } from '../control/principal.js';
import type { Queryable } from '../platform/db/database.js';
import { readMemberAccess } from './members.sql.js';
import { noProject } from './require-member.js';
import { pagePermission } from './roles.js';

/** Throws `NotFound` for an unknown project, or if the user is not a member. */
export async function requireMemberPrincipal(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<MemberPrincipal> {
  const access = await readMemberAccess(db, projectId, userId);
  if (access === undefined) throw noProject(projectId);
  const { role, ...project } = access;
  return { ...project, projectId, userId, permission: pagePermission(role), entityId: null };
}
