import type { Queryable } from '../platform/db/database.js';
import { adoptFirstKey, readPresentKey } from './log-keys.sql.js';

/** Another key than that of this start signed the logs last. Both are 64 hex digits. */
export class OtherLogKeyError extends Error {
  constructor(
    readonly present: string,
    readonly given: string,
  ) {
    super(`The logs were last signed with the key ${present}, and this start has the key ${given}`);
    this.name = 'OtherLogKeyError';
  }
}

/**
 * Compares the key of this start with the key that the logs were last signed with. A database without keys adopts a
 * lasting key. Returns the present key, which differs only for a key that is not lasting. Rejects with OtherLogKeyError
 * for a lasting key that differs.
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
