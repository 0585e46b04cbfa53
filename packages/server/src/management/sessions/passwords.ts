import { availableParallelism } from 'node:os';
import type { PasswordCost, PasswordHash } from '../../access/passwords/password-hash.js';
import { createPasswordHasher } from '../../access/passwords/password-hasher.js';
import { networkOf } from '../../platform/net/client-address.js';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import type { Actor } from '../deps.js';

/**
 * `address`: the address of the client, if it is known. The addresses and networks of clients take turns. `signal`: when
 * it aborts, a hash that still waits does not begin.
 */
type Client = Pick<Actor, 'address' | 'signal'>;

export interface Passwords {
  hash(password: string, client: Client): Promise<PasswordHash>;
  /** Whether the password matches the stored hash. Takes the same time if there is no stored hash. */
  matches(password: string, stored: PasswordHash | undefined, client: Client): Promise<boolean>;
  close(): Promise<void>;
}

/** Each hash needs a processor for about 0.2 s, and much memory. */
const THREADS = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const TURNS = {
  ...{ waiting: 50, waitingOfOne: 10 },
  message: 'Too many password checks are waiting: at most 10 of one address, and 50 in all.',
};

/**
 * `cost` applies to new hashes. A stored hash is checked with its own cost. `threads`: maximum number of threads, and of
 * concurrent hashes.
 */
export function createPasswords(cost: PasswordCost, threads: number = THREADS): Passwords {
  const hasher = createPasswordHasher({ threads });
  const limit = createFairLimit({ ...TURNS, atOnce: threads });
  const inTurn = <Result>({ address, signal }: Client, run: () => Promise<Result>) =>
    limit(networkOf(address ?? ''), run, signal);
  return {
    hash: (password, client) => inTurn(client, () => hasher.hash(password, cost)),
    matches: (password, stored, client) => inTurn(client, () => hasher.isPassword(password, stored, cost)),
    close: hasher.close,
  };
}
