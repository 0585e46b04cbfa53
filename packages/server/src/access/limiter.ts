/** The number of requests in a window of one minute. */
export interface Allowance {
  perMinute: number;
  burst: number;
}

/** The state of one key's window after a request; times in seconds. */
export interface LimitVerdict {
  allowed: boolean;
  /** Requests that a window holds. */
  limit: number;
  /** Requests that still fit into the window. */
  remaining: number;
  /** Unix time at which the oldest request leaves the window, rounded up. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  resetAfter: number;
}

/** Counts requests by key. */
export interface Limiter {
  /** Counts a request if it fits into the window. */
  take(key: string): LimitVerdict | Promise<LimitVerdict>;
}

/** A limiter that counts in this process only. */
export interface LocalLimiter extends Limiter {
  take(key: string): LimitVerdict;
}

/** Length of a window. */
export const WINDOW_MS = 60_000;
/** When this many keys are known, and at each doubling, keys without a request in the window are removed. */
const SWEEP_AT_KEYS = 10_000;

/**
 * A sliding-window log: exactly `perMinute + burst` requests fit into any 60 seconds. A refused request is not
 * counted, so a caller that waits for `resetAt` gets through. In memory, for this process.
 */
export function createLimiter({ perMinute, burst }: Allowance, now: () => number = Date.now): LocalLimiter {
  const limit = perMinute + burst;
  const windows = new Map<string, Window>();
  let sweepAtKeys = SWEEP_AT_KEYS;

  function windowOf(key: string): Window {
    const known = windows.get(key);
    if (known !== undefined) return known;
    if (windows.size >= sweepAtKeys) sweep();
    const fresh = createWindow(limit);
    windows.set(key, fresh);
    return fresh;
  }

  function sweep(): void {
    const horizon = now() - WINDOW_MS;
    for (const [key, window] of windows) if (window.count(horizon) === 0) windows.delete(key);
    sweepAtKeys = Math.max(SWEEP_AT_KEYS, windows.size * 2);
  }

  return {
    take(key) {
      const at = now();
      const window = windowOf(key);
      const allowed = window.count(at - WINDOW_MS) < limit;
      if (allowed) window.add(at);
      const count = window.count(at - WINDOW_MS);
      return toVerdict({ allowed, limit, count, oldestMs: window.oldest() ?? at, nowMs: at });
    },
  };
}

/** Returns the verdict for a caller with `count` requests in the window, the oldest at `oldestMs`. */
export function toVerdict(state: {
  allowed: boolean;
  limit: number;
  count: number;
  oldestMs: number;
  nowMs: number;
}): LimitVerdict {
  const { allowed, limit, count, oldestMs, nowMs } = state;
  const leavesMs = oldestMs + WINDOW_MS;
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - count),
    resetAt: Math.ceil(leavesMs / 1000),
    resetAfter: Math.max(1, Math.ceil((leavesMs - nowMs) / 1000)),
  };
}

interface Window {
  add(at: number): void;
  /** Counts the requests after the horizon, and drops earlier ones. */
  count(horizon: number): number;
  oldest(): number | undefined;
}

/** Creates a ring of the times of the last requests. It grows up to `limit`. */
function createWindow(limit: number): Window {
  let times = new Float64Array(Math.min(limit, 16));
  let start = 0;
  let length = 0;

  function grow(): void {
    const larger = new Float64Array(Math.min(limit, times.length * 2));
    for (let index = 0; index < length; index++) larger[index] = times[(start + index) % times.length] ?? 0;
    times = larger;
    start = 0;
  }

  return {
    add(at) {
      if (length === times.length) grow();
      times[(start + length) % times.length] = at;
      length++;
    },
    count(horizon) {
      while (length > 0 && (times[start] ?? 0) <= horizon) {
        start = (start + 1) % times.length;
        length--;
      }
      return length;
    },
    oldest: () => (length === 0 ? undefined : times[start]),
  };
}
