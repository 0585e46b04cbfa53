import { randomBytes } from 'node:crypto';

/** Gives a new API key once, to a caller with the token. The service prints this token at its start. */
export interface FirstKeyHandover {
  /** Returns a token for this key. Earlier tokens become invalid. */
  offer(key: string): string;
  /** Returns the key for the token and invalidates the token. */
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
