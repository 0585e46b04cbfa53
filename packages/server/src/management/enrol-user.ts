import type { Database } from '../platform/db/database.js';
import { ensureAccount } from './accounts.sql.js';

/** Makes a user known; true at their first call ever. */
export type EnrolUser = (userId: string) => Promise<boolean>;

const MAX_REMEMBERED = 10_000;

/** Enrols users; those that were seen lately cost nothing. */
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
