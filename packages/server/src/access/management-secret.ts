import { createHash, timingSafeEqual } from 'node:crypto';

/** Creates a check whether the Bearer token of an `Authorization` header is `secret`. It compares in constant time. */
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
