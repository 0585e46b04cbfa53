import { hashPassword, isPassword, type PasswordCost, type PasswordHash } from '../../access/password.js';
import { createConcurrencyLimit } from '../../platform/work/limit-concurrency.js';

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  /** Whether the password matches the stored hash. Takes the same time if there is no stored hash. */
  matches(password: string, stored: PasswordHash | undefined): Promise<boolean>;
}

/** At most two hashes run at a time. Each needs much memory, and a thread of the pool that also reads files. */
const TURNS = { atOnce: 2, waiting: 50 };

/** `cost` applies to new hashes. A stored hash is checked with its own cost. */
export function createPasswords(cost: PasswordCost): Passwords {
  const limitConcurrency = createConcurrencyLimit(TURNS);
  return {
    hash: (password) => limitConcurrency(() => hashPassword(password, cost)),
    matches: (password, stored) => limitConcurrency(() => isPassword(password, stored, cost)),
  };
}
