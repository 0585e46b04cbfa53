import { ServiceError } from '../errors.js';

/** Runs functions in the order of their calls, a few at a time. */
export type LimitConcurrency = <T>(run: () => Promise<T>) => Promise<T>;

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

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting) {
      throw new ServiceError('Unavailable', 'Too many requests of this kind are waiting.', {
        recovery: 'Send the request again in a moment.',
      });
    }
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (run) => {
    await enter();
    return run().finally(leave);
  };
}
