import type { Database, Tx } from '../db/database.js';
import { sleepUntil } from '../sleep-until.js';
import { assertLease, type Lease } from './lease.sql.js';

/** Settings of a loop of background work. */
export interface LoopSettings {
  /** Does a part of the work. Resolves to the pause before the next step, in milliseconds; 0 for none. */
  step: () => Promise<number>;
  stopping: AbortController;
  /** The pause after a failed step. */
  failurePauseMs: number;
  reportFailure: (error: unknown) => void;
  /** Waits until a signal aborts, or for the given time. */
  pause?: (ms: number, ...signals: AbortSignal[]) => Promise<void>;
  /** Called after the last step. */
  end?: () => Promise<unknown>;
}

export interface Loop {
  /** Begins the next step now instead of after the pause. */
  wake(): void;
  /** Stops between two steps, and resolves when the step under way has ended. */
  close(): Promise<void>;
}

/** Runs steps until the loop is closed. A failed step is reported, and the loop continues. */
export function startLoop(settings: LoopSettings): Loop {
  const { step, stopping, failurePauseMs, reportFailure, pause = sleepUntil, end } = settings;
  let alarm = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      alarm = new AbortController();
      const pauseMs = await step().catch((error: unknown) => {
        if (!stopping.signal.aborted) reportFailure(error);
        return failurePauseMs;
      });
      if (pauseMs > 0) await pause(pauseMs, alarm.signal, stopping.signal);
    }
    await end?.();
  }

  const ended = run();
  return {
    wake: () => alarm.abort(),
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}

/** A lease that a timer extends. */
export interface KeptLease {
  /** Aborts when another node has the lease, or when the service stops. */
  ended: AbortSignal;
  release(): void;
}

/** Extends a lease after each third of its time. `extend` resolves to false when another node has the lease. */
export function keepLease({
  extend,
  seconds,
  stopping,
  reportFailure,
}: {
  extend: () => Promise<boolean>;
  seconds: number;
  stopping: AbortSignal;
  reportFailure: (error: unknown) => void;
}): KeptLease {
  const ended = new AbortController();
  const stop = () => ended.abort(stopping.reason);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  let isHeld = true;
  const extendOrEnd = async () => {
    // After the release there is nothing to extend.
    if (!(await extend()) && isHeld) ended.abort();
  };
  const timer = setInterval(() => void extendOrEnd().catch(reportFailure), (seconds * 1000) / 3);
  return {
    ended: ended.signal,
    release() {
      isHeld = false;
      stopping.removeEventListener('abort', stop);
      clearInterval(timer);
    },
  };
}

/** Commits the writes of `run` only while this node has the lease, so that two nodes never do the same work. */
export function withLease<T>(
  { provenance, lease }: { provenance: Database; lease: Lease },
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return provenance.transaction(async (tx) => {
    await assertLease(tx, lease);
    return run(tx);
  });
}
