import type { Member, Org, ProjectItem } from '@colophon/model';
import { untilAborted } from '../platform/db/database.js';
import { turnOfUser } from './change.js';
import type { Actor, ManagementDeps } from './deps.js';
import { listMemberRows } from './members.sql.js';
import { listOrgsOf, readOrg } from './orgs.sql.js';
import { listProjectRows } from './projects.sql.js';
import { toProject } from './read-project.js';
import { notFound, requireMember } from './require-member.js';

/** Lists the 1,000 newest organisations of the caller, oldest first. */
export function listOrgs({ control, limitLists }: ManagementDeps, { userId, signal }: Actor): Promise<Org[]> {
  return limitLists(turnOfUser(userId), () => listOrgsOf(untilAborted(control, signal), userId), signal);
}

export async function requireOrg(
  { control }: ManagementDeps,
  { userId }: Actor,
  orgSlug: string,
): Promise<Org> {
  const org = await readOrg(control, { accountId: userId, slug: orgSlug });
  if (org === undefined) throw notFound({ accountId: userId, orgSlug });
  return org;
}

/** Lists the 1,000 members who joined last, earliest first. */
export async function listMembers(
  { control, limitLists }: ManagementDeps,
  { userId, signal }: Actor,
  orgSlug: string,
): Promise<Member[]> {
  const { orgId } = await requireMember(control, { accountId: userId, orgSlug }, 'member.list');
  return limitLists(turnOfUser(userId), () => listMemberRows(untilAborted(control, signal), orgId), signal);
}

export async function listProjects(
  { control, limitLists, publicUrl }: ManagementDeps,
  { userId, signal }: Actor,
  orgSlug: string,
): Promise<ProjectItem[]> {
  const { orgId } = await requireMember(control, { accountId: userId, orgSlug }, 'project.read');
  const rows = await limitLists(
    turnOfUser(userId),
    () => listProjectRows(untilAborted(control, signal), orgId),
    signal,
  );
  return rows.map((row) => toProject(row, publicUrl));
}
