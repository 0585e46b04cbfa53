import { ServiceError } from '../../errors.js';

/** Runs functions of many callers, a few at a time. The callers that wait take turns. */
export type FairLimit = <Result>(caller: string, run: () => Promise<Result>) => Promise<Result>;

const RETRY_SECONDS = 1;

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

  async function enter(caller: string): Promise<void> {
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
    queued++;
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      queues.set(caller, queue);
    });
  }

  function leave(): void {
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

  return async (caller, run) => {
    await enter(caller);
    return run().finally(leave);
  };
}
