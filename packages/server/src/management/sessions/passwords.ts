import { hashPassword, isPassword, type PasswordCost, type PasswordHash } from '../../access/password.js';
import { createConcurrencyLimit } from '../limit-concurrency.js';

/** Passwords of local accounts. */
export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Takes as long where there is none. */
  matches(password: string, stored: PasswordHash | undefined): Promise<boolean>;
}

/** Each takes a thread that reads files too, and much memory: two at a time. */
const TURNS = { atOnce: 2, waiting: 50 };

/** Hashes at this cost; what was stored is checked at its own. */
export function createPasswords(cost: PasswordCost): Passwords {
  const limitConcurrency = createConcurrencyLimit(TURNS);
  return {
    hash: (password) => limitConcurrency(() => hashPassword(password, cost)),
    matches: (password, stored) => limitConcurrency(() => isPassword(password, stored, cost)),
  };
}
