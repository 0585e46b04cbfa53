import { tokenDigest } from '../../access/secret-token.js';
import { type ChangeOptions, change } from '../change.js';
import { deleteSession } from './sessions.sql.js';

/** Ends the session of this token. Every node rejects the token from then on. */
export function endSession(options: ChangeOptions, token: string): Promise<{ signedIn: false }> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    await deleteSession(tx, tokenDigest(token));
    return { answer: { signedIn: false }, action: 'session.end', target: userId, orgId: null };
  });
}
