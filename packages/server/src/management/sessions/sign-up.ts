import { ServiceError } from '../../errors.js';
import { ensureAccount } from '../accounts.sql.js';
import { change } from '../change.js';
import type { SessionDeps } from './deps.js';
import { deleteInvitations } from './invitations.sql.js';
import { FIRST_ACCOUNT } from './invite-member.js';
import { requirePasswords, toLocalUserId } from './local-account.js';
import { findPasswordTurn, rememberNetwork } from './password-turn.js';
import { hasPasswords, storePassword } from './passwords.sql.js';
import { type AnonymousActor, BY_PASSWORD, type Session, startSession } from './session.js';
import { addInvitedMember, useInvitation } from './use-invitation.js';

/** Throws `Conflict` if any user has this name, because the new account must not get the rights of that user. */
export async function signUp(
  deps: SessionDeps,
  client: AnonymousActor,
  { invitation, name, password }: { invitation: string; name: string; password: string },
): Promise<Session> {
  const passwords = requirePasswords(deps);
  const turn = await findPasswordTurn(deps.management.control, client);
  const hash = await passwords.hash(password, { turn, signal: client.signal });
  const userId = toLocalUserId(name);
  const actor = { ...client, userId, isNew: true };
  // The client chooses the name, so turns by name would give one client many turns.
  const turnOf = { address: client.address };
  return change({ deps: deps.management, actor, turnOf }, async (tx) => {
    // Checks the invitation first, so that a caller without an invitation cannot find out which names exist.
    const taken = await useInvitation(tx, invitation);
    if (!(await ensureAccount(tx, userId))) {
      throw new ServiceError('Conflict', `The name ${name} is taken.`, { recovery: 'Choose another one.' });
    }
    if (!(await hasPasswords(tx))) await deleteInvitations(tx, FIRST_ACCOUNT);
    await storePassword(tx, userId, hash);
    await addInvitedMember(tx, { ...taken, userId }, deps.management.limits);
    const { orgId, role } = taken;
    await rememberNetwork(tx, client, userId);
    const answer = await startSession(tx, userId, BY_PASSWORD);
    return { answer, action: 'account.create', target: userId, orgId, details: { role } };
  });
}
