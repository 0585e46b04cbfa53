import type { User, UserInput } from '@colophon/model';
import { ensureAccount, readAccount, updateAccount } from './accounts.sql.js';
import { type ChangeOptions, change } from './change.js';
import type { Actor, ManagementDeps } from './deps.js';

export async function readOwnAccount(
  { control }: ManagementDeps,
  { userId }: Pick<Actor, 'userId'>,
): Promise<User> {
  const user = await readAccount(control, userId);
  if (user === undefined) throw new Error('The user of the request has no account');
  return user;
}

export function updateOwnAccount(options: ChangeOptions, input: UserInput): Promise<User> {
  const { userId } = options.actor;
  return change(options, async (tx) => {
    await ensureAccount(tx, userId);
    const fields = Object.keys(input);
    if (fields.length > 0) await updateAccount(tx, userId, input);
    const user = await readAccount(tx, userId);
    if (user === undefined) throw new Error('An account vanished inside a transaction');
    if (fields.length === 0) return { answer: user, action: undefined };
    return {
      answer: user,
      action: 'account.update',
      target: userId,
      orgId: null,
      details: { fields },
    };
  });
}
