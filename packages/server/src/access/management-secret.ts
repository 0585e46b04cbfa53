import { createHash, timingSafeEqual } from 'node:crypto';

/** Creates a function that checks in constant time whether an `Authorization` header has the Bearer token `secret`. */
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
