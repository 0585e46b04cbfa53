import type { InvitationCheck, JoinedOrg } from '@colophon/model';
import { tokenDigest } from '../../access/secret-token.js';
import { ServiceError } from '../../errors.js';
import { inTurnsOf, type Queryable, type Tx } from '../../platform/db/database.js';
import { readAccount } from '../accounts.sql.js';
import { type ChangeOptions, change, nameAddressTurn } from '../change.js';
import { assertRoomForMember } from '../change-members.js';
import type { TenantLimits } from '../deps.js';
import { insertMember } from '../members.sql.js';
import { lockMembership, type Membership, readMembership } from '../orgs.sql.js';
import { isAtLeast, LOWEST_ROLE } from '../roles.js';
import { type InvitationRow, readInvitation, takeInvitation } from './invitations.sql.js';
import { signInNameOf } from './local-account.js';
import type { AnonymousActor } from './session.js';

/** After an error, the invitation stays valid. */
export function joinOrg(options: ChangeOptions, invitation: string): Promise<JoinedOrg> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    const taken = await useInvitation(tx, invitation);
    await addInvitedMember(tx, { ...taken, userId }, options.deps.limits);
    const { orgId, orgSlug, orgName, role } = taken;
    const answer = { orgSlug, orgName, role };
    return { answer, action: 'member.join', target: userId, orgId, details: { role } };
  });
}

export async function addInvitedMember(
  tx: Tx,
  { orgId, orgSlug, role, userId }: InvitationRow & { userId: string },
  limits: TenantLimits,
): Promise<void> {
  if (await insertMember(tx, { orgId, userId, role }))
    return assertRoomForMember(tx, limits, { orgId, added: 1 });
  throw new ServiceError('Conflict', `You are a member of ${orgSlug} already.`, {
    recovery: 'Another person can still use the invitation.',
  });
}

/** An invitation is valid as long as its creator may add a member with its role. */
export async function useInvitation(tx: Tx, invitation: string): Promise<InvitationRow> {
  const digest = tokenDigest(invitation);
  const known = await readInvitation(tx, digest);
  if (known === undefined) throw noInvitation();
  // Locks the organisation before its invitations, in the same order as the code that deletes invitations.
  const maker = await lockMembership(tx, { accountId: known.madeBy, orgSlug: known.orgSlug });
  const taken = await takeInvitation(tx, digest);
  if (taken === undefined || !mayStillInvite(maker, taken)) throw noInvitation();
  return taken;
}

/** The statements take turns of the visitor's network, so that many visitors do not delay the inviter. */
export async function checkInvitation(
  control: Queryable,
  { address }: Pick<AnonymousActor, 'address'>,
  invitation: string,
): Promise<InvitationCheck> {
  const db = inTurnsOf(nameAddressTurn(address), control);
  const known = await readInvitation(db, tokenDigest(invitation));
  if (known === undefined) return { valid: false };
  const { madeBy: accountId, orgSlug, orgName, role } = known;
  if (!mayStillInvite(await readMembership(db, { accountId, orgSlug }), known)) return { valid: false };
  const maker = await readAccount(db, accountId);
  return { valid: true, orgName, role, invitedBy: nameMaker(accountId, maker?.name) };
}

/** Returns null for a name with `@`, which can be an e-mail address. */
function nameMaker(accountId: string, given: string | null | undefined): string | null {
  const name = given ?? signInNameOf(accountId);
  return name === undefined || name.includes('@') ? null : name;
}

function mayStillInvite(maker: Membership | undefined, { role }: Pick<InvitationRow, 'role'>): boolean {
  if (maker === undefined) return false;
  return isAtLeast(maker.role, LOWEST_ROLE['member.add']) && isAtLeast(maker.role, role);
}

function noInvitation(): ServiceError {
  return new ServiceError('NotFound', 'This invitation is unknown, used or expired.', {
    recovery: 'Ask the sender for a new one.',
  });
}
