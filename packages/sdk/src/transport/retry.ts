import { ApiError, NoAnswerError } from './api-error.js';

/** When the result is unknown: repeat always, only with the same Idempotency-Key, or never. */
export type Repetition = 'harmless' | 'keyed' | 'never';

/** A later attempt can succeed. */
const LATER = [408, 429, 503];
/** A later attempt can succeed. 502 and 504 leave the result unknown. */
const LATER_OF_PROXIES = [...LATER, 502, 504];

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

export interface RetryTerms {
  maxRetries: number;
  maxRetryDelayMs: number;
  repetition: Repetition;
  signal: AbortSignal | undefined;
}

/**
 * Runs `attempt` until it succeeds, fails permanently, or cannot be repeated safely. Waits for the delay that the
 * service requests, or for a growing delay. Throws the error immediately when the delay is above `maxRetryDelayMs`.
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

/** Returns undefined for no repetition. */
function waitBefore(error: unknown, retries: number, repetition: Repetition): number | undefined {
  if (!(error instanceof ApiError || error instanceof NoAnswerError)) return undefined;
  // The service does not process a request above the rate limit.
  const isSafe = repetition !== 'never' || (error instanceof ApiError && error.status === 429);
  return isSafe && mayPass(error) ? (error.retryAfterMs ?? backoff(retries)) : undefined;
}

function mayPass(error: ApiError | NoAnswerError): boolean {
  if (error instanceof NoAnswerError) {
    return error.reason !== 'foreign' || LATER_OF_PROXIES.includes(error.status ?? 0);
  }
  // The first attempt with this Idempotency-Key may still be running.
  const isRunning = error.status === 409 && error.retryAfterMs !== undefined;
  return isRunning || LATER.includes(error.status);
}

/** The random part keeps clients from repeating at the same time. */
function backoff(retries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}

/** Rejects with the signal's reason when the signal aborts first. */
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
