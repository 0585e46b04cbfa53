import { v7 as uuidv7 } from 'uuid';

/** A meter numbers its batches in ascending order. */
export interface CountBatch<Key> {
  meterId: string;
  number: number;
  counts: readonly (Key & { count: number })[];
}

/** Counts events by key, and writes the counts outside of the requests. */
export interface CountMeter<Key> {
  count(key: Key): void;
  /** Always resolves: after a failure, it logs the error and retains the counts. */
  flush(): Promise<void>;
  /** Writes the remaining counts. */
  close(): Promise<void>;
}

export interface CountMeterOptions {
  reportFailure: (error: unknown) => void;
  intervalMs?: number;
}

const USUAL_INTERVAL_MS = 5_000;

/**
 * After a failed write, sends the same batch again, so `add` must skip a batch that it has already added. A process
 * that is killed loses its last counts. The caller limits the number of different keys.
 */
export function createCountMeter<Key extends object>(
  add: (batch: CountBatch<Key>) => Promise<void>,
  { reportFailure, intervalMs = USUAL_INTERVAL_MS }: CountMeterOptions,
): CountMeter<Key> {
  const meterId = uuidv7();
  let counts = new Map<string, Key & { count: number }>();
  let number = 0;
  let unsent: CountBatch<Key> | undefined;
  let last = Promise.resolve();

  async function sendUnsent(): Promise<void> {
    if (unsent === undefined) return;
    await add(unsent);
    unsent = undefined;
  }

  async function send(): Promise<void> {
    try {
      await sendUnsent();
      if (counts.size === 0) return;
      unsent = { meterId, number: ++number, counts: [...counts.values()] };
      counts = new Map();
      await sendUnsent();
    } catch (error) {
      reportFailure(error);
    }
  }

  function flush(): Promise<void> {
    last = last.then(send);
    return last;
  }

  const timer = setInterval(() => {
    if (counts.size > 0 || unsent !== undefined) void flush();
  }, intervalMs).unref();

  return {
    count(key) {
      const name = Object.values(key).join(' ');
      counts.set(name, { ...key, count: (counts.get(name)?.count ?? 0) + 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
