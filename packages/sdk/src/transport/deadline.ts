import { NoAnswerError, originOf } from './api-error.js';

/** Aborts an attempt after its timeout, or when the caller cancels it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Does nothing if the timeout is running. */
  start(): void;
  /** Restarts the timeout after progress. */
  renew(): void;
  /** `start` or `renew` starts the timeout again with its full length. The caller's signal stays active. */
  stop(): void;
  /** The timeout cannot start again. */
  end(): void;
}

/** `timeoutMs`: `Infinity` for no timeout. */
export function createDeadline(
  { timeoutMs, url }: { timeoutMs: number; url: string },
  given: AbortSignal | undefined,
): Deadline {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const error = () =>
    new NoAnswerError('late', `No response from ${originOf(url)} within ${timeoutMs / 1000} seconds.`);
  const start = () => {
    if (isOver || timeoutMs === Number.POSITIVE_INFINITY) return;
    timer ??= setTimeout(() => late.abort(error()), timeoutMs);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    signal: given === undefined ? late.signal : AbortSignal.any([given, late.signal]),
    start,
    renew() {
      stop();
      start();
    },
    stop,
    end() {
      isOver = true;
      stop();
    },
  };
}
