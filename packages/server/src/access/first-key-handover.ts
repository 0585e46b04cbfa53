import { randomBytes } from 'node:crypto';

/** Hands a key over once, to the caller with the token that the service printed. */
export interface FirstKeyHandover {
  /** A token that is good for this key once; an earlier one is not good any more. */
  offer(key: string): string;
  /** The key that the token is good for, which it then is no longer. */
  take(token: string): string | undefined;
}

export function createFirstKeyHandover(): FirstKeyHandover {
  const offered = new Map<string, string>();
  return {
    offer(key) {
      const token = randomBytes(16).toString('base64url');
      offered.clear();
      offered.set(token, key);
      return token;
    },
    take(token) {
      const key = offered.get(token);
      offered.delete(token);
      return key;
    },
  };
}
