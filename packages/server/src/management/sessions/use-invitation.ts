import type { JoinedOrg } from '@colophon/model';
import { tokenDigest } from '../../access/secret-token.js';
import type { Tx } from '../../db/database.js';
import { ServiceError } from '../../errors.js';
import { type ChangeTerms, change } from '../change.js';
import { insertMember } from '../members.sql.js';
import { lockMembership } from '../orgs.sql.js';
import { isAtLeast, LOWEST_ROLE } from '../roles.js';
import { type InvitationRow, takeInvitation } from './invitations.sql.js';

/** Makes the user who asks a member by an invitation. Throws `NotFound` for one that is used or over. */
export function joinOrg(terms: ChangeTerms, invitation: string): Promise<JoinedOrg> {
  const { userId } = terms.actor;
  return change(terms, async (tx) => {
    const { orgId, orgSlug, orgName, role } = await useInvitation(tx, invitation, userId);
    const answer = { orgSlug, orgName, role };
    return { answer, action: 'member.join', target: userId, orgId, details: { role } };
  });
}

/** The same inside a change. An invitation holds no longer than its maker may add such a member. */
export async function useInvitation(tx: Tx, invitation: string, userId: string): Promise<InvitationRow> {
  const taken = await takeInvitation(tx, tokenDigest(invitation));
  if (taken === undefined) throw noInvitation();
  const { orgId, orgSlug, madeBy, role } = taken;
  const maker = await lockMembership(tx, { accountId: madeBy, orgSlug });
  if (
    maker === undefined ||
    !isAtLeast(maker.role, LOWEST_ROLE['member.add']) ||
    !isAtLeast(maker.role, role)
  )
    throw noInvitation();
  if (await insertMember(tx, { orgId, userId, role })) return taken;
  throw new ServiceError('Conflict', `You are a member of ${orgSlug} already.`, {
    recovery: 'Leave the invitation to somebody else.',
  });
}

function noInvitation(): ServiceError {
  return new ServiceError('NotFound', 'This invitation was used, is over, or never was.', {
    recovery: 'Ask whoever sent it for another one.',
  });
}
