import { randomUUID } from 'node:crypto';

const MAX_COUNT = 0xfff;
/** The position of the variant and the 62 random bits in a random UUID. */
const RANDOM_PART = 19;

/**
 * Makes UUIDs of version 7, each greater than the one before, also when the clock goes back: those of one millisecond
 * are counted in 12 bits (RFC 9562 §6.2, method 1). Node draws the random bits for many at once.
 */
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

/** Returns the next UUID of this process. */
export const uuidv7 = createUuidv7();
