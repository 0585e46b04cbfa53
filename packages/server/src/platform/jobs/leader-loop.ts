import type { Database, Tx } from '../db/database.js';
import { sleepUntil } from '../sleep-until.js';
import { assertLease, type Lease } from './lease.sql.js';

export interface LoopSettings {
  /** Resolves to the pause before the next step, in milliseconds. */
  step: () => Promise<number>;
  stopping: AbortController;
  failurePauseMs: number;
  reportFailure: (error: unknown) => void;
  pause?: (ms: number, ...signals: AbortSignal[]) => Promise<void>;
  /** Called once, after the last step. */
  end?: () => Promise<unknown>;
}

export interface Loop {
  wake(): void;
  /** Starts no further step. Resolves after the current step and `end`. */
  close(): Promise<void>;
}

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

export interface KeptLease {
  /** Aborts when another node has the lease, or when the service stops. */
  ended: AbortSignal;
  /** Stops the extensions. Does not change the lease in the database. */
  release(): void;
}

/** `extend` resolves to false when another node has the lease. */
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
    // After the release, a failed extension does not mean that another node has the lease.
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

/** Runs `run` in a transaction that commits only while this node has the lease. */
export function withLease<T>(
  { provenance, lease }: { provenance: Database; lease: Lease },
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return provenance.transaction(async (tx) => {
    await assertLease(tx, lease);
    return run(tx);
  });
}
