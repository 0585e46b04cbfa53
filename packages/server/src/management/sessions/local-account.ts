import { ServiceError } from '../../errors.js';
import type { SessionDeps } from './deps.js';
import type { Passwords } from './passwords.js';

const LOCAL = 'local:';

export function toLocalUserId(name: string): string {
  return `${LOCAL}${name}`;
}

/** Returns undefined for accounts that are not local. */
export function signInNameOf(userId: string): string | undefined {
  return userId.startsWith(LOCAL) ? userId.slice(LOCAL.length) : undefined;
}

/** Throws `Unavailable` if local accounts are off. */
export function requirePasswords({ passwords }: SessionDeps): Passwords {
  if (passwords !== undefined) return passwords;
  throw new ServiceError('Unavailable', 'Local accounts are off.', {
    recovery: 'Sign in with the OpenID provider, or have the operator set LOCAL_ACCOUNTS=true.',
  });
}
