import type { Invitation, Role } from '@colophon/model';
import { createSecretToken, tokenDigest } from '../../access/secret-token.js';
import { LOCAL_ORG } from '../../control/api-keys.sql.js';
import type { Database } from '../../platform/db/database.js';
import { assertBelowLimit } from '../assert-below-limit.js';
import { type ChangeOptions, change } from '../change.js';
import { assertRoomForMember } from '../change-members.js';
import { lockMembership } from '../orgs.sql.js';
import { assertRole, requireMemberAlone } from '../require-member.js';
import { countInvitations, deleteInvitations, insertInvitation } from './invitations.sql.js';
import { hasPasswords } from './passwords.sql.js';

const LIFE_HOURS = 3 * 24;

export const FIRST_ACCOUNT = { orgId: LOCAL_ORG.id, madeBy: LOCAL_ORG.ownerId, role: 'owner' } as const;

/** Anybody who has the invitation can use it. Throws `Forbidden` at MAX_ORG_INVITATIONS and MAX_ORG_MEMBERS. */
export function inviteMember(options: ChangeOptions, orgSlug: string, role: Role): Promise<Invitation> {
  const madeBy = options.actor.userId;
  const member = { accountId: madeBy, orgSlug };
  return change({ ...options, turnOf: { membership: member } }, async (tx) => {
    const { orgId, role: own } = await requireMemberAlone(tx, member, 'member.add');
    assertRole(own, role, `member.add with the role ${role}`);
    await assertRoomForMember(tx, options.deps.limits, { orgId, added: 0 });
    assertBelowLimit(options.deps.limits, 'MAX_ORG_INVITATIONS', {
      count: await countInvitations(tx, orgId),
      subject: 'This organisation has open invitations',
      remedy: `Withdraw one, or wait until one expires (after ${LIFE_HOURS} hours)`,
    });
    const invitation = createSecretToken();
    const { id, expiresAt } = await insertInvitation(tx, {
      tokenDigest: tokenDigest(invitation),
      orgId,
      role,
      madeBy,
      lifeHours: LIFE_HOURS,
    });
    const path = invitationPath(invitation);
    const answer = { id, invitation, path, orgSlug, role, expiresAt: expiresAt.toISOString() };
    return { answer, action: 'member.invite', target: orgId, orgId, details: { role } };
  });
}

/** Invites the first local account as an owner of `local`. Returns the path, or undefined if an account exists. */
export function inviteFirstAccount(control: Database): Promise<string | undefined> {
  return control.transaction(async (tx) => {
    // A concurrent sign-up locks the same organisation, so one of the two transactions sees the result of the other.
    await lockMembership(tx, { accountId: LOCAL_ORG.ownerId, orgSlug: LOCAL_ORG.slug });
    if (await hasPasswords(tx)) return undefined;
    await deleteInvitations(tx, FIRST_ACCOUNT);
    const invitation = createSecretToken();
    const made = { ...FIRST_ACCOUNT, lifeHours: 24, tokenDigest: tokenDigest(invitation) };
    await insertInvitation(tx, made);
    return invitationPath(invitation, '?first');
  });
}

/** A browser does not send the part after the #, so the invitation appears in no log line. */
function invitationPath(invitation: string, query = ''): string {
  return `/app/manage/join${query}#${invitation}`;
}
