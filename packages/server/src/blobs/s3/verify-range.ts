import { setTimeout as sleep } from 'node:timers/promises';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import type { ByteRange } from '../blob-store.js';
import { verifyContent } from '../verify-content.js';

/** A range of a content, and all bytes of the content. */
interface ContentRange {
  projectId: string;
  contentDigest: string;
  range: ByteRange;
  whole: AsyncIterable<Uint8Array>;
}

/** Yields the range. Reads and verifies the whole content, like `verifyContent`. */
export type VerifyRange = (content: ContentRange) => AsyncGenerator<Uint8Array>;

/** A reader pauses after this many bytes outside of its range. The main thread verifies them in about 1 ms. */
const BYTES_BETWEEN_PAUSES = 2 ** 18;
/** Duration of a pause. */
const PAUSE_MS = 4;

/**
 * Creates the function that verifies ranges. A request for a small range makes the service read the whole content. So
 * while several ranges are verified, each reader pauses after every `BYTES_BETWEEN_PAUSES` bytes outside of its range.
 * Only one reader pauses at a time, and the projects take turns. Together, the bytes outside of the ranges then take
 * less than half of the main thread's time.
 */
export function createVerifyRange(pause: () => Promise<void> = () => sleep(PAUSE_MS)): VerifyRange {
  const inTurn = createFairLimit({ atOnce: 1 });
  let readers = 0;
  return async function* verifyRange({ projectId, contentDigest, range, whole }) {
    let skippedBytes = 0;
    const afterSkipped = async (bytes: number) => {
      skippedBytes += bytes;
      if (skippedBytes < BYTES_BETWEEN_PAUSES) return;
      skippedBytes = 0;
      if (readers > 1) await inTurn(projectId, pause);
    };
    readers += 1;
    try {
      yield* verifyContent(whole, contentDigest, { range, afterSkipped });
    } finally {
      readers -= 1;
    }
  };
}
