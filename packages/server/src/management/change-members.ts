import type { Member, MemberInput, Role } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Tx } from '../platform/db/database.js';
import { ensureAccount } from './accounts.sql.js';
import { assertBelowLimit, isOperator } from './assert-below-limit.js';
import { type ChangeOptions, change } from './change.js';
import type { TenantLimits } from './deps.js';
import {
  countMembers,
  countOwners,
  deleteMember,
  insertMember,
  readMember,
  updateMemberRole,
} from './members.sql.js';
import { assertRole, requireMemberAlone } from './require-member.js';

export interface MemberRef {
  orgSlug: string;
  userId: string;
}

/** The role of the user may not be above the actor's role. MAX_ORG_MEMBERS does not apply to the operator. */
export function addMember(options: ChangeOptions, orgSlug: string, input: MemberInput): Promise<Member> {
  const member = { accountId: options.actor.userId, orgSlug };
  const assertMay = (tx: Tx) => requireMemberAlone(tx, member, 'member.add');
  return change({ ...options, assertMay, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role } = await assertMay(tx);
    assertRole(role, input.role, `member.add with the role ${input.role}`);
    await ensureAccount(tx, input.userId);
    if (!(await insertMember(tx, { orgId, ...input }))) {
      throw new ServiceError('Conflict', `${input.userId} is a member already.`, {
        recovery: 'Change their role instead.',
      });
    }
    if (!isOperator(options.actor)) await assertRoomForMember(tx, options.deps.limits, { orgId, added: 1 });
    const answer = await requireRow(tx, orgId, { orgSlug, userId: input.userId });
    return { answer, action: 'member.add', target: input.userId, orgId, details: { role: input.role } };
  });
}

/** `added` is 1 if the transaction has added the member already. The caller must have locked the organisation. */
export async function assertRoomForMember(
  tx: Tx,
  limits: TenantLimits,
  { orgId, added }: { orgId: string; added: 0 | 1 },
): Promise<void> {
  assertBelowLimit(limits, 'MAX_ORG_MEMBERS', {
    count: (await countMembers(tx, orgId, limits.MAX_ORG_MEMBERS + added)) - added,
    subject: 'This organisation has members',
    remedy: 'Let an admin or owner remove a member who needs no access',
  });
}

/** Neither the old nor the new role may be above the actor's role. */
export function changeMemberRole(options: ChangeOptions, place: MemberRef, role: Role): Promise<Member> {
  const { orgSlug, userId } = place;
  const member = { accountId: options.actor.userId, orgSlug };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role: own } = await requireMemberAlone(tx, member, 'member.change');
    const before = await requireRow(tx, orgId, place);
    assertRole(own, before.role, `member.change of ${before.role}`);
    assertRole(own, role, `member.change to ${role}`);
    if (before.role === 'owner' && role !== 'owner') await assertNotLastOwner(tx, orgId);
    await updateMemberRole(tx, { orgId, userId, role });
    const details = { from: before.role, to: role };
    return { answer: { ...before, role }, action: 'member.change', target: userId, orgId, details };
  });
}

/** All members may remove themselves. The last owner cannot be removed. */
export function removeMember(options: ChangeOptions, place: MemberRef): Promise<{ removed: true }> {
  const { orgSlug, userId } = place;
  const member = { accountId: options.actor.userId, orgSlug };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const leaves = options.actor.userId === userId;
    const { orgId, role: own } = await requireMemberAlone(tx, member, leaves ? 'org.read' : 'member.remove');
    const before = await requireRow(tx, orgId, place);
    assertRole(own, before.role, `member.remove of ${before.role}`);
    if (before.role === 'owner') await assertNotLastOwner(tx, orgId);
    await deleteMember(tx, orgId, userId);
    const details = { role: before.role };
    return { answer: { removed: true }, action: 'member.remove', target: userId, orgId, details };
  });
}

async function requireRow(tx: Tx, orgId: string, { orgSlug, userId }: MemberRef): Promise<Member> {
  const member = await readMember(tx, orgId, userId);
  if (member === undefined) throw new ServiceError('NotFound', `${userId} is not a member of ${orgSlug}.`);
  return member;
}

async function assertNotLastOwner(tx: Tx, orgId: string): Promise<void> {
  if ((await countOwners(tx, orgId)) > 1) return;
  throw new ServiceError('Conflict', 'The last owner of an organisation cannot leave or get a lower role.', {
    recovery: 'Make somebody else an owner first, or delete the organisation.',
  });
}
