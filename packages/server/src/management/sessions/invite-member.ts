import type { Invitation, Role } from '@colophon/model';
import { LOCAL_ORG } from '../../access/api-keys.sql.js';
import { createSecretToken, tokenDigest } from '../../access/secret-token.js';
import type { Database } from '../../db/database.js';
import { type ChangeTerms, change } from '../change.js';
import { assertRole, requireMemberAlone } from '../require-member.js';
import { insertInvitation } from './invitations.sql.js';
import { hasPasswords } from './passwords.sql.js';

const LIFE_HOURS = 3 * 24;

/** Makes an invitation to an organisation, with at most one's own role, for whoever is shown it. */
export function inviteMember(terms: ChangeTerms, orgSlug: string, role: Role): Promise<Invitation> {
  const madeBy = terms.actor.userId;
  return change(terms, async (tx) => {
    const { orgId, role: own } = await requireMemberAlone(tx, { accountId: madeBy, orgSlug }, 'member.add');
    assertRole(own, role, `member.add with the role ${role}`);
    const invitation = createSecretToken();
    const expiresAt = await insertInvitation(tx, {
      tokenDigest: tokenDigest(invitation),
      orgId,
      role,
      madeBy,
      lifeHours: LIFE_HOURS,
    });
    const path = invitationPath(invitation);
    const answer = { invitation, path, orgSlug, role, expiresAt: expiresAt.toISOString() };
    return { answer, action: 'member.invite', target: orgId, orgId, details: { role } };
  });
}

/** The path of the first local account's invitation: an owner of `local`. Undefined when there is an account. */
export async function inviteFirstAccount(control: Database): Promise<string | undefined> {
  if (await hasPasswords(control)) return undefined;
  const invitation = createSecretToken();
  const made = { orgId: LOCAL_ORG.id, madeBy: LOCAL_ORG.ownerId, role: 'owner', lifeHours: 24 } as const;
  await control.transaction((tx) => insertInvitation(tx, { ...made, tokenDigest: tokenDigest(invitation) }));
  return invitationPath(invitation);
}

/** What follows the # is not sent to any server, and so in no log. */
function invitationPath(invitation: string): string {
  return `/app/manage/join#${invitation}`;
}
