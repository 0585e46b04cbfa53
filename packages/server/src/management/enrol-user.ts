import type { Database } from '../platform/db/database.js';
import { ensureAccount } from './accounts.sql.js';

/** Resolves to true if it created the account. */
export type EnrolUser = (userId: string) => Promise<boolean>;

const MAX_REMEMBERED = 10_000;

/** Remembers recent users, who then need no query. */
export function createEnrolUser(control: Database): EnrolUser {
  const seen = new Set<string>();
  return async (userId) => {
    if (seen.has(userId)) return false;
    const isNew = await ensureAccount(control, userId);
    if (seen.size >= MAX_REMEMBERED) seen.clear();
    seen.add(userId);
    return isNew;
  };
}
