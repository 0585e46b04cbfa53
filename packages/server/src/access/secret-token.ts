import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns 256 random bits as 43 characters of base64url. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** A slow hash is unnecessary, because the token has 256 random bits. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The CSRF token does not reveal the session's token. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfTokenOf(sessionToken: string, csrfToken: string): boolean {
  return timingSafeEqual(tokenDigest(csrfToken), tokenDigest(csrfTokenOf(sessionToken)));
}

/** Checks in constant time whether an `Authorization` header has the Bearer token `secret`. */
export function createIsSecret(secret: string): (authorization: string | undefined) => boolean {
  const expected = tokenDigest(secret);
  return (authorization) => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    return timingSafeEqual(tokenDigest(given ?? ''), expected);
  };
}
