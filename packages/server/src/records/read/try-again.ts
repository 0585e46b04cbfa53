import { DatabaseError } from '../../platform/db/database.js';

const MAX_TRIES = 5;

/** Runs a transaction again when the database rolled it back for its own reasons, a few times. */
export async function tryAgain<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}

/** Class 40: the transaction was rolled back (deadlock, serialization); the same call may pass next time. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState.startsWith('40');
}
