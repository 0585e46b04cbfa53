import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fresh secret of 256 random bits, as 43 characters of base64url. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the SHA-256 of a token, which is stored instead of the token. The token is random enough that a slow hash
 * adds nothing.
 */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Derives the token that a page sends with a change, so that pages of other sites cannot. It does not reveal the
 * session's token.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

/** Whether the token belongs to the session. The comparison takes constant time. */
export function isCsrfTokenOf(sessionToken: string, csrfToken: string): boolean {
  return timingSafeEqual(tokenDigest(csrfToken), tokenDigest(csrfTokenOf(sessionToken)));
}
