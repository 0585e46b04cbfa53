import { PERMISSIONS, type Permission, type Role } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable, Tx } from '../platform/db/database.js';
import { lockMembership, type Membership, type MembershipOf, readMembership } from './orgs.sql.js';
import { type Ability, highestPermission, isAtLeast, LOWEST_ROLE } from './roles.js';

/** Throws `NotFound` for a user who is not a member, and `Forbidden` for a role that is too low. */
export async function requireMember(db: Queryable, of: MembershipOf, ability: Ability): Promise<Membership> {
  return assertAble(await readMembership(db, of), of, ability);
}

/** Does the same as `requireMember`, and locks the organisation until the transaction ends. */
export async function requireMemberAlone(tx: Tx, of: MembershipOf, ability: Ability): Promise<Membership> {
  return assertAble(await lockMembership(tx, of), of, ability);
}

function assertAble(membership: Membership | undefined, of: MembershipOf, ability: Ability): Membership {
  if (membership === undefined) throw notFound(of);
  assertRole(membership.role, LOWEST_ROLE[ability], ability);
  return membership;
}

/** If the log is already public, developers may send `publicLog: true` again. */
export function assertMayPublishLog(
  role: Role,
  { publicLog: asked }: { publicLog?: boolean | undefined },
  before?: { publicLog: boolean },
): void {
  if (asked !== true || before?.publicLog === true) return;
  assertRole(role, LOWEST_ROLE['project.publish-log'], 'publicLog: true');
}

export function assertRole(role: Role, needed: Role, what: string): void {
  if (isAtLeast(role, needed)) return;
  throw new ServiceError('Forbidden', `${what} needs the role ${needed}; yours is ${role}.`, {
    recovery: `Ask a member with the role ${needed} or higher.`,
  });
}

/** Throws `Forbidden` unless the role may give this permission to a key. */
export function assertMayGive(role: Role, permission: Permission): void {
  const highest = highestPermission(role);
  if (highest !== undefined && PERMISSIONS.indexOf(permission) <= PERMISSIONS.indexOf(highest)) return;
  throw new ServiceError('Forbidden', `The role ${role} cannot give the permission ${permission} to a key.`, {
    recovery:
      highest === undefined
        ? 'Ask a member who may give this permission.'
        : `Choose at most the permission ${highest}, or ask an admin to create the key.`,
  });
}

/** The error is the same if the user is not a member of the organisation. */
export function notFound(of: MembershipOf): ServiceError {
  if ('projectId' in of) return noProject(of.projectId);
  return 'orgSlug' in of ? unknown(`organisation ${of.orgSlug}`) : unknown(`API key ${of.keyId}`);
}

export function noProject(projectId: string): ServiceError {
  return unknown(`project ${projectId}`);
}

function unknown(what: string): ServiceError {
  return new ServiceError('NotFound', `There is no ${what}.`, {
    recovery: 'Check the slug or id, and that the user in X-User-Id is a member of the organisation.',
  });
}
