import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../platform/db/database.js';
import { addUsage, type UsageBatch } from './usage.sql.js';
import { type CountedCall, createTally, type Tally } from './usage-tally.js';

/** Counts calls and writes the counts in batches, outside of the requests. */
export interface UsageMeter {
  count(call: CountedCall): void;
  /** Adds bytes and actions that a call stored after `count`. Does not count the call again. */
  addWork(call: CountedCall): void;
  /** Always resolves: after a failure, it logs the error and retains the counts. */
  flush(): Promise<void>;
  /**
   * Flushes the counts, and then runs `read` before the next write. `onTaken` runs when the flush has taken the counts
   * from memory. With `isWritten`, the database has exactly the calls that were counted before `onTaken`.
   */
  flushAndRead<Found>(snapshot: Snapshot<Found>): Promise<Found>;
  /** Writes the remaining counts. If all attempts fail, logs the number of lost calls. */
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
/** The meter writes before the interval ends when this number of counters and log lines wait. */
const EARLY_AT_ENTRIES = 2_500;
const CLOSE_TRIES = 4;
const CLOSE_PAUSE_MS = 500;

/**
 * While the database is unavailable, the counts wait in memory. A batch that the meter sends again counts only once. A
 * process that is killed loses the counts since its last batch.
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

/** Sends a failed batch again, unchanged, before any other batch. */
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
