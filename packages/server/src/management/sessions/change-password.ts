import type { PasswordChange } from '@colophon/model';
import { tokenDigest } from '../../access/secret-token.js';
import { ServiceError } from '../../errors.js';
import { change } from '../change.js';
import type { Actor } from '../deps.js';
import type { SessionDeps } from './deps.js';
import { requirePasswords } from './local-account.js';
import { holdPassword, readPassword, storePassword } from './passwords.sql.js';
import { deleteOtherSessions } from './sessions.sql.js';

/** Ends all sessions of the user except the one of `token`. */
export async function changePassword(
  deps: SessionDeps,
  { actor, token }: { actor: Actor; token: string },
  { currentPassword, newPassword }: PasswordChange,
): Promise<{ changed: true }> {
  const passwords = requirePasswords(deps);
  const stored = await readPassword(deps.management.control, actor.userId);
  // Throws without a delay, because the user of the account already knows whether it has a password.
  if (stored === undefined) throw wrong();
  const caller = { turn: { account: actor.userId }, signal: actor.signal };
  if (!(await passwords.matches(currentPassword, stored, caller))) throw wrong();
  const hash = await passwords.hash(newPassword, caller);
  return change({ deps: deps.management, actor }, async (tx) => {
    if (!(await holdPassword(tx, actor.userId, stored))) throw wrong();
    await storePassword(tx, actor.userId, hash);
    await deleteOtherSessions(tx, actor.userId, tokenDigest(token));
    return { answer: { changed: true }, action: 'account.password', target: actor.userId, orgId: null };
  });
}

function wrong(): ServiceError {
  return new ServiceError('Forbidden', 'The current password is wrong.', { recovery: 'Try again.' });
}
