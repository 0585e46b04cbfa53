import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../errors.js';
import { DatabaseError } from '../database.js';
import { NotPartitionableError } from './large-tables.js';

/** Maximum time for one attempt to lock the tables. It is less than PostgreSQL's `deadlock_timeout` of 1 s. */
export const LOCK_MS = 800;
const LOCK_ATTEMPTS = 120;
const PAUSE_MS = 1_000;
/** This time is longer than `deadlock_timeout`, after which PostgreSQL cancels autovacuum. */
const GENTLE_MS = 10_000;

export interface LockingOptions {
  attempts?: number | undefined;
  pauseMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The lock `share update exclusive` delays no reads and no writes, and makes PostgreSQL cancel autovacuum. Then a
 * shorter limit applies to the next, stronger locks.
 */
export const toLockGently = (tables: readonly string[]) =>
  `set local statement_timeout = 0;
   set local lock_timeout = ${GENTLE_MS};
   lock table ${tables.join(', ')} in share update exclusive mode;
   set local lock_timeout = ${LOCK_MS};`;

/** In the pauses, the service uses the tables. */
export async function whileLocking<T>(
  { attempts = LOCK_ATTEMPTS, pauseMs = PAUSE_MS, signal }: LockingOptions,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      if (!isRepeatable(error)) throw error;
      if (attempt === attempts)
        throw new NotPartitionableError(
          `Other transactions kept a lock on the tables during ${attempts} attempts. End long transactions (pg_stat_activity), and run the command again.`,
          { cause: error },
        );
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** Whether a statement ended at a time limit, or PostgreSQL ended its transaction for another one. */
function isRepeatable(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof DatabaseError && /^(?:55P03|57014|40)/.test(cause.sqlState);
}
