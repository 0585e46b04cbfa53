import { randomBytes } from 'node:crypto';

/** Gives a new API key once, to a caller with the token that the service prints at its start. */
export interface FirstKeyHandover {
  /** Returns a token. Earlier tokens become invalid. */
  offer(key: string): string;
  /** Invalidates the token. */
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
