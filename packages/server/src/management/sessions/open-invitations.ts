import type { OpenInvitation } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { untilAborted } from '../../platform/db/database.js';
import { type ChangeOptions, change, turnOfUser } from '../change.js';
import type { Actor, ManagementDeps } from '../deps.js';
import { assertRole, requireMember, requireMemberAlone } from '../require-member.js';
import { deleteInvitation, listInvitationRows } from './invitations.sql.js';

/** Lists the 1,000 newest open invitations, newest first. */
export async function listInvitations(
  { control, limitLists }: ManagementDeps,
  { userId, signal }: Actor,
  orgSlug: string,
): Promise<OpenInvitation[]> {
  const { orgId } = await requireMember(control, { accountId: userId, orgSlug }, 'invitation.list');
  return limitLists(
    turnOfUser(userId),
    () => listInvitationRows(untilAborted(control, signal), orgId),
    signal,
  );
}

/** The role of the invitation may not be above the actor's role. */
export function withdrawInvitation(
  options: ChangeOptions,
  orgSlug: string,
  id: string,
): Promise<{ withdrawn: true }> {
  const member = { accountId: options.actor.userId, orgSlug };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role: own } = await requireMemberAlone(tx, member, 'invitation.withdraw');
    const details = await deleteInvitation(tx, orgId, id);
    if (details === undefined) {
      throw new ServiceError('NotFound', `${orgSlug} has no open invitation ${id}.`, {
        recovery: 'List the open invitations. A used or expired invitation cannot be withdrawn.',
      });
    }
    assertRole(own, details.role, `invitation.withdraw of ${details.role}`);
    return { answer: { withdrawn: true }, action: 'invitation.withdraw', target: id, orgId, details };
  });
}
