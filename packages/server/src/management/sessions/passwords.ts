import { hashPassword, isPassword, type PasswordCost, type PasswordHash } from '../../access/password.js';
import { networkOf } from '../../platform/net/client-address.js';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';

/** `address`: the address of the client, if it is known. The addresses and networks of clients take turns. */
export interface Passwords {
  hash(password: string, address: string | null): Promise<PasswordHash>;
  /** Whether the password matches the stored hash. Takes the same time if there is no stored hash. */
  matches(password: string, stored: PasswordHash | undefined, address: string | null): Promise<boolean>;
}

/**
 * At most two hashes run at a time. Each needs much memory, and a thread of the pool that also reads files. At most 50
 * hashes wait, and at most ten of one address.
 */
const TURNS = {
  ...{ atOnce: 2, waiting: 50, waitingOfOne: 10 },
  message: 'Too many password checks are waiting: at most 10 of one address, and 50 in all.',
};

/** `cost` applies to new hashes. A stored hash is checked with its own cost. */
export function createPasswords(cost: PasswordCost): Passwords {
  const inTurn = createFairLimit(TURNS);
  return {
    hash: (password, address) => inTurn(networkOf(address ?? ''), () => hashPassword(password, cost)),
    matches: (password, stored, address) =>
      inTurn(networkOf(address ?? ''), () => isPassword(password, stored, cost)),
  };
}
