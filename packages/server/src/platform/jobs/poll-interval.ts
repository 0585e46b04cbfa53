import { sleepUntil } from '../sleep-until.js';

/** How often loops of this process ask the database whether there is work. */
export interface PollInterval {
  /** Something may have left work: the loops ask at their usual pace again. */
  note(): void;
  /** Waits for the usual time, or longer when nothing was noted for a while; ends early when a signal aborts. */
  pause(usualMs: number, ...signals: AbortSignal[]): Promise<void>;
}

const QUIET_AFTER_MS = 10_000;
/** A node that took over work of another one finds it this much later. */
const TIMES_WHEN_QUIET = 5;

/** `quietAfterMs`: how long nothing is noted before the loops ask less often. */
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
