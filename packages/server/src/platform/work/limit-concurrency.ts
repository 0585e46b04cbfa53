import { ServiceError } from '../../errors.js';

/**
 * Runs functions of many callers, a few at a time. The callers that wait take turns. A function that waits is not run
 * after `signal` aborts: the call then rejects with the signal's reason.
 */
export type FairLimit = <Result>(
  caller: string,
  run: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

/** A `FairLimit` with one caller: runs functions in the order of their calls. */
export type LimitConcurrency = <Result>(run: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

const RETRY_SECONDS = 1;

/** At most `atOnce` run and `waiting` wait; further calls are `Unavailable`. */
export function createConcurrencyLimit({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): LimitConcurrency {
  const limit = createFairLimit({ atOnce, waiting, waitingOfOne: waiting });
  return (run, signal) => limit('', run, signal);
}

/**
 * At most `atOnce` functions run, and `waiting` wait, `waitingOfOne` of one caller. Further calls reject with
 * ServiceError `Unavailable`.
 */
export function createFairLimit({
  atOnce,
  waiting,
  waitingOfOne,
}: {
  atOnce: number;
  waiting: number;
  waitingOfOne: number;
}): FairLimit {
  /** The callers that wait, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();
  let running = 0;
  let queued = 0;

  async function acquire(caller: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running++;
      return;
    }
    const queue = queues.get(caller) ?? [];
    if (queued >= waiting || queue.length >= waitingOfOne)
      throw new ServiceError('Unavailable', 'Too many requests of this kind are waiting.', {
        recovery: 'Send the request again in a moment.',
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) queues.delete(caller);
        queued--;
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.push(start);
      queues.set(caller, queue);
      queued++;
    });
  }

  function release(): void {
    const [turn] = queues;
    if (turn === undefined) {
      running--;
      return;
    }
    const [caller, queue] = turn;
    const next = queue.shift();
    queues.delete(caller);
    if (queue.length > 0) queues.set(caller, queue); // at the end: the other callers come first
    queued--;
    next?.();
  }

  return async (caller, run, signal) => {
    await acquire(caller, signal);
    return run().finally(release);
  };
}
