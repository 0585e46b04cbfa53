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
 * Returns the key that signed the logs last. If the database has no key, returns the key of this process, and stores it
 * if it is lasting. A key is lasting if it is also stored outside of this process. Rejects with OtherLogKeyError if a
 * lasting key differs from the stored key.
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
