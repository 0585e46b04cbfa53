/** A window of one minute allows `perMinute + burst` requests. */
export interface Allowance {
  perMinute: number;
  burst: number;
}

export interface LimitVerdict {
  allowed: boolean;
  /** Maximum number of requests in a window. */
  limit: number;
  remaining: number;
  /** Time at which the oldest request leaves the window, in Unix seconds, rounded up. */
  resetAt: number;
  /** Whole seconds until `resetAt`, at least 1. */
  resetAfter: number;
}

export interface Limiter {
  /** Counts a request if the window of the key is not full. */
  take(key: string): LimitVerdict | Promise<LimitVerdict>;
}

export interface LocalLimiter extends Limiter {
  take(key: string): LimitVerdict;
}

export const WINDOW_MS = 60_000;
/** Minimum number of keys at which the limiter removes the keys without recent requests. */
const SWEEP_AT_KEYS = 10_000;

/** A sliding-window log: at most `perMinute + burst` requests in any 60 seconds. Rejected requests do not count. */
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
  /** Removes the requests up to the time `horizon`, and counts the others. */
  count(horizon: number): number;
  oldest(): number | undefined;
}

/** A ring buffer of request times, which grows up to `limit`. */
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
