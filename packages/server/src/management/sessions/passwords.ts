import { availableParallelism } from 'node:os';
import type { PasswordCost, PasswordHash } from '../../access/passwords/password-hash.js';
import { createPasswordHasher } from '../../access/passwords/password-hasher.js';
import { createGroupedLimit } from '../../platform/work/limit-concurrency.js';
import type { Actor } from '../deps.js';
import type { PasswordTurn } from './password-turn.js';

/** When `signal` aborts, a hash that still waits does not begin. */
export interface PasswordCaller extends Pick<Actor, 'signal'> {
  turn: PasswordTurn;
}

export interface Passwords {
  hash(password: string, caller: PasswordCaller): Promise<PasswordHash>;
  /** Takes the same time if there is no stored hash. */
  matches(password: string, stored: PasswordHash | undefined, caller: PasswordCaller): Promise<boolean>;
  close(): Promise<void>;
}

export interface PasswordOptions {
  /** A stored hash is checked with its own cost. */
  cost: PasswordCost;
  /** Maximum number of waiting hashes in each of the two queues (SIGN_IN_MAX_WAITING). */
  maxWaiting: number;
  /** Maximum time that a hash waits (WORK_MAX_WAIT_MS). */
  maxWaitMs: number;
  /** Maximum number of threads, and of concurrent hashes. */
  threads?: number;
}

/** Each hash needs a processor for about 0.2 s, and much memory. */
const THREADS = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));

/** One account or network may fill at most 1/`PARTS` of its queue. */
const PARTS = 5;

/** The two queues of `PasswordTurn` take turns, and within a queue, its accounts or networks. */
export function createPasswords({
  cost,
  maxWaiting,
  maxWaitMs,
  threads = THREADS,
}: PasswordOptions): Passwords {
  const hasher = createPasswordHasher({ threads });
  const waitingOfOne = Math.ceil(maxWaiting / PARTS);
  const message = `Too many password checks wait: at most ${maxWaiting} (SIGN_IN_MAX_WAITING), and ${waitingOfOne} of one network or account. Or this check waited more than ${maxWaitMs} ms (WORK_MAX_WAIT_MS).`;
  const all = { atOnce: threads, maxWaitMs, message };
  const limit = createGroupedLimit({ all, ofGroup: { ...all, waiting: maxWaiting, waitingOfOne } });
  const inTurn = <Result>({ turn, signal }: PasswordCaller, run: () => Promise<Result>) => {
    const of =
      'account' in turn ? { group: 'known', caller: turn.account } : { group: 'new', caller: turn.network };
    return limit(of, run, signal);
  };
  return {
    hash: (password, caller) => inTurn(caller, () => hasher.hash(password, cost)),
    matches: (password, stored, caller) => inTurn(caller, () => hasher.isPassword(password, stored, cost)),
    close: hasher.close,
  };
}
