import { DatabaseError } from '../../platform/db/database.js';

const MAX_TRIES = 5;

/**
 * Runs a transaction. Repeats it, up to 5 runs in all, when the database rolled it back because of a conflict with
 * other transactions.
 */
export async function tryAgain<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}

/**
 * Whether the transaction was rolled back because of others (class 40: deadlock, serialization), so that a
 * repetition may succeed.
 */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState.startsWith('40');
}
