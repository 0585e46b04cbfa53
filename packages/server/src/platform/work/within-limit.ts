import { ServiceError } from '../../errors.js';

/** `limitMs` includes the wait for slots. */
export interface WorkLimit {
  signal: AbortSignal | undefined;
  limitMs: number;
  message: string;
  recovery: string;
}

const RETRY_SECONDS = 10;

/** Aborts the work when `signal` aborts, and with `Unavailable` after `limitMs`. */
export async function withinLimit<T>(
  { signal, limitMs, message, recovery }: WorkLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  const busy = new ServiceError('Unavailable', message, { recovery, headers });
  const timer = setTimeout(() => late.abort(busy), limitMs);
  try {
    return await run(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Texts of the error for work without a project. */
export const BUSY = {
  message: 'The service is busy with other work.',
  recovery: 'Send the request again in a moment.',
};
