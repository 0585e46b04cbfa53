import { hashPassword, isPassword, type PasswordCost, type PasswordHash } from '../../access/password.js';
import { createConcurrencyLimit } from '../../platform/work/limit-concurrency.js';

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Takes the same time without a stored hash. */
  matches(password: string, stored: PasswordHash | undefined): Promise<boolean>;
}

/** Two hashes run at a time: each takes much memory and one of the threads that also read files. */
const TURNS = { atOnce: 2, waiting: 50 };

/** `cost` applies to new hashes. A stored hash is checked at its own cost. */
export function createPasswords(cost: PasswordCost): Passwords {
  const limitConcurrency = createConcurrencyLimit(TURNS);
  return {
    hash: (password) => limitConcurrency(() => hashPassword(password, cost)),
    matches: (password, stored) => limitConcurrency(() => isPassword(password, stored, cost)),
  };
}
