import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../../errors.js';
import { DatabaseError } from '../database.js';
import { NotPartitionableError } from './large-tables.js';

/** Time for one attempt to lock the tables. It is less than PostgreSQL's `deadlock_timeout` of 1 s. */
export const LOCK_MS = 800;
const LOCK_ATTEMPTS = 120;
const PAUSE_MS = 1_000;

/** Repeats a transaction that did not get its locks in time. In the pauses, the service uses the tables. */
export async function whileLocking<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      if (!isTimeout(error)) throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new NotPartitionableError(
          `Other transactions kept a lock on the tables during ${LOCK_ATTEMPTS} attempts. End long transactions (pg_stat_activity), and run the command again.`,
          { cause: error },
        );
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}

/** Whether a statement ended at `lock_timeout` or `statement_timeout`. */
const isTimeout = (error: unknown) =>
  error instanceof ServiceError &&
  error.cause instanceof DatabaseError &&
  ['55P03', '57014'].includes(error.cause.sqlState);
