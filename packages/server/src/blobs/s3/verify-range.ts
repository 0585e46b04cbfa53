import { setTimeout as sleep } from 'node:timers/promises';
import { createFairLimit } from '../../platform/work/limit-concurrency.js';
import type { ByteRange } from '../blob-store.js';
import { verifyContent } from '../verify-content.js';

interface ContentRange {
  projectId: string;
  contentDigest: string;
  range: ByteRange;
  whole: AsyncIterable<Uint8Array>;
}

/** Reads and verifies the whole content, like `verifyContent`. */
export type VerifyRange = (content: ContentRange) => AsyncGenerator<Uint8Array>;

/** The main thread verifies this number of bytes in about 1 ms. */
const BYTES_BETWEEN_PAUSES = 2 ** 18;
const PAUSE_MS = 4;

/**
 * A request for a small range makes the service read the whole content. While several ranges are verified, the readers
 * pause one at a time, so that the bytes outside of the ranges take less than half of the main thread's time.
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
