import { randomBytes } from 'node:crypto';

/** Hands a key over once, to the caller with the token that the service printed. */
export interface FirstKeyHandover {
  /** Returns a token that hands this key over once. Earlier tokens become invalid. */
  offer(key: string): string;
  /** Returns the key of the token and invalidates the token. */
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
