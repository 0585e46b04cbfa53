import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells whether an `Authorization` header carries the secret; the time it takes tells nothing of it. */
export function createIsSecret(secret: string): (authorization: string | undefined) => boolean {
  const expected = sha256(secret);
  return (authorization) => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    return timingSafeEqual(sha256(given ?? ''), expected);
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
