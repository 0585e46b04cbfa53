import { NoAnswerError, originOf } from './api-error.js';

/** Ends an attempt that takes too long, or that its caller gives up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The time runs from here, unless it runs already. */
  start(): void;
  /** The time runs from here anew: something got ahead. */
  renew(): void;
  /** The time does not count until it is started again; the caller's signal still does. */
  stop(): void;
  /** The attempt is over: nothing starts the time again. */
  end(): void;
}

/** A deadline of so many milliseconds for the answer of an address; `Infinity` for none. */
export function createDeadline(
  { timeoutMs, url }: { timeoutMs: number; url: string },
  given: AbortSignal | undefined,
): Deadline {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const error = () =>
    new NoAnswerError('late', `No answer came from ${originOf(url)} within ${timeoutMs / 1000} seconds.`);
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
