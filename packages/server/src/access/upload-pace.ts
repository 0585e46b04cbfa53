/** Bounds the bytes per second that each project or address uploads to this process. */
export interface UploadPace {
  /** All uploads of one project or address share one bound, and take turns. */
  begin(id: string): PacedUpload;
}

export interface PacedUpload {
  /** Calls `read` when the upload may read one chunk: at once, or after a pause. */
  beforeRead(read: () => void): void;
  /** Counts the bytes that were read in the last turn. */
  received(bytes: number): void;
  isWaiting(): boolean;
  waitedMs(): number;
  /** Calls the waiting `read`, and calls each later `read` at once. */
  end(): void;
}

export interface PaceClock {
  now(): number;
  after(delayMs: number, run: () => void): void;
}

interface UploadBucket {
  /** Negative if a turn begins with fewer bytes than a full chunk. */
  bytes: number;
  filledAtMs: number;
  uploads: number;
  /** The `read` functions of waiting uploads. The first one has the next turn. */
  waiting: Set<() => void>;
  isTimed: boolean;
}

/** Node reads at most this number of bytes at once. */
export const CHUNK_BYTES = 2 ** 16;
const BURST_BYTES = 8 * 2 ** 20;
const SWEEP_AT_BUCKETS = 1_000;

const SYSTEM_CLOCK: PaceClock = {
  now: () => performance.now(),
  after: (delayMs, run) => void setTimeout(run, delayMs).unref(),
};

/**
 * Creates a token bucket for each project or address. A turn takes a full chunk, and `received` gives the rest back.
 */
export function createUploadPace(bytesPerSecond: number, clock: PaceClock = SYSTEM_CLOCK): UploadPace {
  const buckets = new Map<string, UploadBucket>();
  const bytesPerMs = bytesPerSecond / 1000;
  let sweepAtBuckets = SWEEP_AT_BUCKETS;

  function fill(bucket: UploadBucket): void {
    const nowMs = clock.now();
    bucket.bytes = Math.min(BURST_BYTES, bucket.bytes + (nowMs - bucket.filledAtMs) * bytesPerMs);
    bucket.filledAtMs = nowMs;
  }

  function serve(bucket: UploadBucket): void {
    fill(bucket);
    for (const read of bucket.waiting) {
      if (bucket.bytes <= 0) break;
      bucket.waiting.delete(read);
      bucket.bytes -= CHUNK_BYTES;
      read();
    }
    if (bucket.waiting.size === 0 || bucket.isTimed) return;
    bucket.isTimed = true;
    clock.after(Math.max(1, -bucket.bytes / bytesPerMs), () => {
      bucket.isTimed = false;
      serve(bucket);
    });
  }

  function sweep(): void {
    if (buckets.size < sweepAtBuckets) return;
    for (const [id, bucket] of buckets) {
      fill(bucket);
      if (bucket.uploads === 0 && bucket.bytes === BURST_BYTES) buckets.delete(id);
    }
    sweepAtBuckets = Math.max(SWEEP_AT_BUCKETS, 2 * buckets.size);
  }

  return {
    begin(id) {
      sweep();
      const bucket = buckets.get(id) ?? createBucket(clock);
      buckets.set(id, bucket);
      bucket.uploads++;
      return createUpload(bucket, { clock, serve });
    },
  };
}

function createBucket({ now }: PaceClock): UploadBucket {
  return { bytes: BURST_BYTES, filledAtMs: now(), uploads: 0, waiting: new Set(), isTimed: false };
}

interface BucketSteps {
  clock: PaceClock;
  serve(bucket: UploadBucket): void;
}

function createUpload(bucket: UploadBucket, { clock, serve }: BucketSteps): PacedUpload {
  let isOpen = true;
  let waiting: { turn: () => void; sinceMs: number } | undefined;
  let pastMs = 0;
  const endWait = () => {
    if (waiting === undefined) return;
    pastMs += clock.now() - waiting.sinceMs;
    bucket.waiting.delete(waiting.turn);
    waiting = undefined;
  };
  return {
    beforeRead(read) {
      if (!isOpen) return read();
      endWait();
      const turn = () => {
        endWait();
        read();
      };
      waiting = { turn, sinceMs: clock.now() };
      bucket.waiting.add(turn);
      serve(bucket);
    },
    received(bytes) {
      if (isOpen) bucket.bytes += CHUNK_BYTES - bytes;
    },
    isWaiting: () => waiting !== undefined,
    waitedMs: () => pastMs + (waiting === undefined ? 0 : clock.now() - waiting.sinceMs),
    end() {
      if (!isOpen) return;
      isOpen = false;
      bucket.uploads--;
      waiting?.turn();
    },
  };
}
