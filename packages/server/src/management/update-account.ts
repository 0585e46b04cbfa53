import type { User, UserInput } from '@colophon/model';
import { ensureAccount, readAccount, updateAccount } from './accounts.sql.js';
import { type ChangeTerms, change } from './change.js';

/** Changes what the user says of themself. */
export function updateOwnAccount(terms: ChangeTerms, input: UserInput): Promise<User> {
  const { userId } = terms.actor;
  return change(terms, async (tx) => {
    await ensureAccount(tx, userId);
    await updateAccount(tx, userId, input);
    const user = await readAccount(tx, userId);
    if (user === undefined) throw new Error('An account vanished inside a transaction');
    return {
      answer: user,
      action: 'account.update',
      target: userId,
      orgId: null,
      details: { fields: Object.keys(input) },
    };
  });
}
