import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../platform/db/database.js';
import { addUsage, type UsageBatch } from './usage.sql.js';
import { type CountedCall, createTally, type Tally } from './usage-tally.js';

/** Counts calls and writes the counts in batches, outside of the requests. */
export interface UsageMeter {
  /** Counts a call. It is written with the next batch. */
  count(call: CountedCall): void;
  /** Adds bytes and actions that a call stored only after `count` was called for it. Does not count the call again. */
  addWork(call: CountedCall): void;
  /** Writes the counts. Always resolves: after a failure it logs the error and retains the counts. */
  flush(): Promise<void>;
  /**
   * Flushes the counts, and then runs `read`. The next write waits until `read` has ended. `onTaken` runs when the
   * flush has taken the waiting counts from memory. If `isWritten` is true, the flush succeeded: the database has all
   * calls that were counted before `onTaken`, and no later calls.
   */
  flushAndRead<Found>(snapshot: Snapshot<Found>): Promise<Found>;
  /** Stops the timer and writes the remaining counts. If all attempts fail, logs the number of lost calls. */
  close(): Promise<void>;
}

export interface Snapshot<Found> {
  onTaken: () => void;
  read: (isWritten: boolean) => Promise<Found>;
}

export interface MeterOptions {
  reportFailure: (error: unknown) => void;
  intervalMs?: number;
}

const USUAL_INTERVAL_MS = 5_000;
/** When this number of counters and log lines wait, the meter writes them before the interval ends. */
const EARLY_AT_ENTRIES = 2_500;
const CLOSE_TRIES = 4;
const CLOSE_PAUSE_MS = 500;

/**
 * Starts a meter. It writes the counts once per interval, or as soon as 2,500 counters and log lines wait. Without
 * counts, it sends nothing. While the database is unavailable, all counts and the newest log lines wait in memory. A
 * batch that the meter sends again after a lost response counts only once. A process that is killed loses the counts
 * since its last batch: those of at most one interval, or of the time since an outage of the database began.
 */
export function createUsageMeter(control: Database, options: MeterOptions): UsageMeter {
  const { reportFailure, intervalMs = USUAL_INTERVAL_MS } = options;
  const tally = createTally();
  const sender = createSender(control, tally);
  let waiting = 0;
  let last = Promise.resolve();

  async function send(onTaken?: () => void): Promise<void> {
    try {
      await sender.send(onTaken);
    } catch (error) {
      reportFailure(error);
    } finally {
      waiting -= 1;
    }
  }

  function flush(): Promise<void> {
    waiting += 1;
    last = last.then(() => send());
    return last;
  }

  function flushAndRead<Found>({ onTaken, read }: Snapshot<Found>): Promise<Found> {
    waiting += 1;
    const found = last.then(() => send(onTaken)).then(() => read(!sender.isBehind()));
    last = found.then(
      () => {},
      () => {},
    );
    return found;
  }

  const timer = setInterval(() => {
    if (waiting === 0) void flush();
  }, intervalMs).unref();

  return {
    count(call) {
      tally.count(call);
      if (tally.entries >= EARLY_AT_ENTRIES && waiting === 0 && !sender.isBehind()) void flush();
    },
    addWork: (call) => void tally.addWork(call),
    flush,
    flushAndRead,
    async close() {
      clearInterval(timer);
      await flush();
      for (let tries = 1; tries < CLOSE_TRIES && sender.callsLeft() > 0; tries++) {
        await sleep(CLOSE_PAUSE_MS);
        await flush();
      }
      const lost = sender.callsLeft();
      if (lost > 0) reportFailure(new Error(`The usage of ${lost} calls could not be written`));
    },
  };
}

/** Sends batches in the order of their numbers. Sends a failed batch again, unchanged, before any other batch. */
function createSender(control: Database, tally: Tally) {
  const meterId = uuidv7();
  let number = 0;
  let unsent: UsageBatch[] = [];

  async function sendUnsent(): Promise<void> {
    for (let batch = unsent[0]; batch !== undefined; batch = unsent[0]) {
      await addUsage(control, batch);
      unsent.shift();
    }
  }

  return {
    async send(onTaken = () => {}): Promise<void> {
      await sendUnsent();
      unsent = tally.take().map((part) => ({ meterId, number: ++number, ...part }));
      onTaken();
      await sendUnsent();
    },
    /** Whether the last batch failed. */
    isBehind: () => unsent.length > 0,
    callsLeft: () =>
      tally.calls() +
      unsent.reduce((sum, { counts }) => sum + counts.reduce((calls, count) => calls + count.calls, 0), 0),
  };
}
