import { randomUUID } from 'node:crypto';

const MAX_COUNT = 0xfff;
const RANDOM_PART = 19;

/** Each UUID is greater than the one before: 12 bits count within a millisecond (RFC 9562 §6.2, method 1). */
export function createUuidv7(now: () => number = Date.now): () => string {
  let ms = 0;
  let count = 0;
  return () => {
    const at = now();
    count++;
    if (at > ms || count > MAX_COUNT) {
      ms = Math.max(at, ms + 1);
      count = 0;
    }
    const time = ms.toString(16).padStart(12, '0');
    const counted = count.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}-${randomUUID().slice(RANDOM_PART)}`;
  };
}

export const uuidv7 = createUuidv7();

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Accepts only lower case, as the service writes ids. */
export const isUuid = (text: string): boolean => UUID.test(text);
