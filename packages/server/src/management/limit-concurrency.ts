import { ServiceError } from '../errors.js';

/**
 * Runs functions in the order of their calls, a few at a time. A function that waits is not run after `signal` aborts:
 * the call then rejects with the signal's reason.
 */
export type LimitConcurrency = <T>(run: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

const RETRY_SECONDS = 1;

/** At most `atOnce` run and `waiting` wait; further calls are `Unavailable`. */
export function createConcurrencyLimit({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): LimitConcurrency {
  const queue: (() => void)[] = [];
  let running = 0;

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting) {
      throw new ServiceError('Unavailable', 'Too many requests of this kind are waiting.', {
        recovery: 'Send the request again in a moment.',
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.push(begin);
    });
  }

  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (run, signal) => {
    await enter(signal);
    return run().finally(leave);
  };
}
