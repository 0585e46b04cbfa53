import type { Queryable } from '../platform/db/database.js';
import { adoptFirstKey, readPresentKey } from './log-keys.sql.js';

/** The key that signed the logs last is not the key of this process. Both keys are 64 hex digits. */
export class OtherLogKeyError extends Error {
  constructor(
    readonly present: string,
    readonly given: string,
  ) {
    super(`The logs were last signed with the key ${present}, but this process has the key ${given}`);
    this.name = 'OtherLogKeyError';
  }
}

/**
 * Compares the key of this process with the present key, which is the key that signed the logs last. A key is lasting
 * if it is also stored outside of this process. If the database has no key yet, stores a lasting key as the first key.
 * Rejects with OtherLogKeyError if a lasting key differs from the present key. Returns the present key, or the key of
 * this process if the database has no key.
 */
export async function adoptKey(
  db: Queryable,
  { publicKeyHex, isLasting }: { publicKeyHex: string; isLasting: boolean },
): Promise<string> {
  const present = isLasting
    ? await adoptFirstKey(db, publicKeyHex)
    : ((await readPresentKey(db)) ?? publicKeyHex);
  if (isLasting && present !== publicKeyHex) throw new OtherLogKeyError(present, publicKeyHex);
  return present;
}
