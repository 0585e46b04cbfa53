import { sleepUntil } from '../sleep-until.js';

export interface PollInterval {
  /** Records that there may be work. Ends a quiet period. */
  note(): void;
  /** Waits for `usualMs`, or five times as long in a quiet period. Ends early when this period ends, or on an abort. */
  pause(usualMs: number, ...signals: AbortSignal[]): Promise<void>;
}

const QUIET_AFTER_MS = 10_000;
/** In a quiet period, a node can take this many times longer to find the work of a failed node. */
const TIMES_WHEN_QUIET = 5;

/** A quiet period begins `quietAfterMs` after the last call of `note`. */
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
