import { ServiceError } from '../../errors.js';
import type { SessionDeps } from './deps.js';
import type { Passwords } from './passwords.js';

export function toLocalUserId(name: string): string {
  return `local:${name}`;
}

/** Returns the password functions. Throws `Unavailable` if local accounts are off. */
export function requirePasswords({ passwords }: SessionDeps): Passwords {
  if (passwords !== undefined) return passwords;
  throw new ServiceError('Unavailable', 'Local accounts are off.', {
    recovery: 'Sign in with the OpenID provider, or have the operator set LOCAL_ACCOUNTS=true.',
  });
}
