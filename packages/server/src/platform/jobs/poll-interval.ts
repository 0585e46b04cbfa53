import { sleepUntil } from '../sleep-until.js';

/** The interval at which the loops of this process ask the database for work. */
export interface PollInterval {
  /** Notes that work may exist, so that the loops poll at their usual interval again. */
  note(): void;
  /** Waits for the usual time, or longer after a quiet period. Ends early when a signal aborts. */
  pause(usualMs: number, ...signals: AbortSignal[]): Promise<void>;
}

const QUIET_AFTER_MS = 10_000;
/**
 * In a quiet period the interval grows by this factor, and so does the delay until a node finds work of a failed
 * one.
 */
const TIMES_WHEN_QUIET = 5;

/** `quietAfterMs`: without a note for this time, the loops poll less often. */
export function createPollInterval(quietAfterMs = QUIET_AFTER_MS): PollInterval {
  let notedAt = performance.now();
  const isQuiet = () => performance.now() - notedAt > quietAfterMs;
  let alarm = new AbortController();

  return {
    note() {
      const wasQuiet = isQuiet();
      notedAt = performance.now();
      if (!wasQuiet) return;
      alarm.abort();
      alarm = new AbortController();
    },
    pause(usualMs, ...signals) {
      return isQuiet()
        ? sleepUntil(usualMs * TIMES_WHEN_QUIET, ...signals, alarm.signal)
        : sleepUntil(usualMs, ...signals);
    },
  };
}
