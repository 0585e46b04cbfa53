import { DatabaseError } from '../../platform/db/database.js';

const MAX_TRIES = 5;

/** Repeats a transaction, up to `MAX_TRIES` runs, while concurrent transactions cause it to be rolled back. */
export async function tryAgain<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error)) throw error;
    }
  }
}

/** SQLSTATE class 40: deadlock or serialization failure. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState.startsWith('40');
}
