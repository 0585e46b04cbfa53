import { ApiError, NoAnswerError } from './api-error.js';

/** Whether a request may be sent again after it is not known what became of it. */
export type Repetition = 'harmless' | 'keyed' | 'never';

/** The statuses of answers that say that trying later may help. */
const LATER = [408, 429, 503];
/** The same of a proxy, which does not know what became of the request either. */
const LATER_OF_PROXIES = [...LATER, 502, 504];

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

/** How many repetitions there may be, and how long one may be waited for, in milliseconds. */
export interface RetryTerms {
  maxRetries: number;
  maxRetryDelayMs: number;
  repetition: Repetition;
  signal: AbortSignal | undefined;
}

/**
 * Runs `attempt` until it succeeds, or fails in a way that repeating it does not mend or might do twice. It waits as
 * long as the service asks for; where it asks for more than `maxRetryDelayMs`, the error is told at once.
 */
export async function withRetries<T>(terms: RetryTerms, attempt: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt();
    } catch (error) {
      const waitMs = retries < terms.maxRetries ? waitBefore(error, retries, terms.repetition) : undefined;
      if (waitMs === undefined || waitMs > terms.maxRetryDelayMs || terms.signal?.aborted) throw error;
      await pause(waitMs, terms.signal);
    }
  }
}

/** How long to wait before a request that failed so is sent again, in milliseconds; undefined: never. */
function waitBefore(error: unknown, retries: number, repetition: Repetition): number | undefined {
  if (!(error instanceof ApiError || error instanceof NoAnswerError)) return undefined;
  // A request over the limit was not looked at.
  const isSafe = repetition !== 'never' || (error instanceof ApiError && error.status === 429);
  return isSafe && mayPass(error) ? (error.retryAfterMs ?? backoff(retries)) : undefined;
}

function mayPass(error: ApiError | NoAnswerError): boolean {
  if (error instanceof NoAnswerError) {
    return error.reason !== 'foreign' || LATER_OF_PROXIES.includes(error.status ?? 0);
  }
  // The first attempt with this Idempotency-Key may still run.
  const isRunning = error.status === 409 && error.retryAfterMs !== undefined;
  return isRunning || LATER.includes(error.status);
}

/** Twice as long each time, less a random part, so that many clients do not come back at once. */
function backoff(retries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}

/** Resolves after so many milliseconds; rejects with the signal's reason when it comes first. */
function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, waitMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
