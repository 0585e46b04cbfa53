import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createLimiter, type Limiter } from '../../src/access/limiter.js';

const WINDOW_MS = 60_000;
/** This time is not a whole second, so that the test detects rounding. */
const START_MS = 1_800_000_000_250;

function withClock(allowance: { perMinute: number; burst: number }) {
  const clock = { now: START_MS };
  return { clock, limiter: createLimiter(allowance, () => clock.now) };
}

/** The limiter in its simplest form. */
function createModel(limit: number, now: () => number): Limiter {
  const counted = new Map<string, number[]>();
  const judge = (times: number[], allowed: boolean) => {
    const left = (times[0] ?? now()) + WINDOW_MS;
    return {
      allowed,
      limit,
      remaining: limit - times.length,
      resetAt: Math.ceil(left / 1000),
      resetAfter: Math.max(1, Math.ceil((left - now()) / 1000)),
    };
  };
  const inWindow = (key: string) => (counted.get(key) ?? []).filter((at) => at > now() - WINDOW_MS);
  return {
    take(key) {
      const times = inWindow(key);
      const allowed = times.length < limit;
      if (allowed) times.push(now());
      counted.set(key, times);
      return judge(times, allowed);
    },
  };
}

describe('the sliding window', () => {
  it('allows perMinute + burst requests, and reports how many are left', () => {
    const { limiter } = withClock({ perMinute: 3, burst: 2 });
    const verdicts = Array.from({ length: 7 }, () => limiter.take('a'));
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false, false]);
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(new Set(verdicts.map(({ limit }) => limit))).toEqual(new Set([5]));
  });

  it('frees the slot of a request after 60 s, and not a millisecond earlier', () => {
    const { clock, limiter } = withClock({ perMinute: 2, burst: 0 });
    limiter.take('a');
    clock.now += 10_000;
    limiter.take('a');
    clock.now = START_MS + WINDOW_MS - 1;
    expect(limiter.take('a').allowed).toBe(false);
    clock.now += 1;
    expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.take('a').allowed).toBe(false);
    clock.now = START_MS + 10_000 + WINDOW_MS;
    expect(limiter.take('a').allowed).toBe(true);
  });

  it('does not count rejected requests: a caller that keeps retrying is admitted again', () => {
    const { clock, limiter } = withClock({ perMinute: 1, burst: 0 });
    limiter.take('a');
    for (let second = 0; second < 59; second++) {
      clock.now += 1000;
      expect(limiter.take('a').allowed).toBe(false);
    }
    clock.now += 1000;
    expect(limiter.take('a').allowed).toBe(true);
  });

  it('resets when the oldest counted request expires, and admits a caller that waits for the reset', () => {
    const { clock, limiter } = withClock({ perMinute: 2, burst: 0 });
    limiter.take('a');
    clock.now += 20_100;
    limiter.take('a');
    const refused = limiter.take('a');
    expect(refused).toMatchObject({ resetAt: Math.ceil((START_MS + WINDOW_MS) / 1000), resetAfter: 40 });
    clock.now += refused.resetAfter * 1000;
    expect(limiter.take('a')).toMatchObject({ allowed: true, resetAfter: 20 });
  });

  it('counts keys separately, for any key text', () => {
    const { limiter } = withClock({ perMinute: 1, burst: 0 });
    for (const key of ['a', 'b', '', '__proto__', 'constructor', '::1']) {
      expect(limiter.take(key).allowed, key).toBe(true);
      expect(limiter.take(key).allowed, key).toBe(false);
    }
  });

  it('inspects on average fewer than two stored keys for each of 100,000 new keys', () => {
    const { limiter } = withClock({ perMinute: 1, burst: 0 });
    const entriesOf = Map.prototype[Symbol.iterator];
    let looks = 0;
    const iterator = vi.spyOn(Map.prototype, Symbol.iterator);
    iterator.mockImplementation(function* (this: Map<unknown, unknown>) {
      for (const entry of entriesOf.call(this)) {
        looks++;
        yield entry;
      }
      return undefined;
    });
    for (let caller = 0; caller < 100_000; caller++) limiter.take(`caller ${caller}`);
    iterator.mockRestore();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(2 * 100_000);
  });

  it('drops keys that were silent for a minute, and no others', () => {
    const { clock, limiter } = withClock({ perMinute: 1, burst: 0 });
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const usedBytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = usedBytes();
    for (let minute = 0; minute < 30; minute++) {
      clock.now += WINDOW_MS;
      limiter.take('busy');
      for (let caller = 0; caller < 9_998; caller++) limiter.take(`${minute}:${caller}`);
      expect(limiter.take('busy').allowed).toBe(false);
    }
    // At most 20,000 of these windows exist at a time; all 300,000 would take over 100 MB.
    expect(usedBytes() - before).toBeLessThan(30_000_000);
    expect(limiter.take('busy').allowed).toBe(false);
  });

  it('agrees with a naive count of every request, for any sequence of calls', () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 25_000 }), fc.constantFrom(1, 59_999, 60_000, 60_001)),
      key: fc.constantFrom('a', 'b'),
    });
    const allowance = fc.record({ perMinute: fc.integer({ min: 1, max: 40 }), burst: fc.nat({ max: 4 }) });
    fc.assert(
      fc.property(allowance, fc.array(step, { maxLength: 200, size: 'max' }), (allowed, steps) => {
        const { clock, limiter } = withClock(allowed);
        const model = createModel(allowed.perMinute + allowed.burst, () => clock.now);
        for (const { waitMs, key } of steps) {
          clock.now += waitMs;
          expect(limiter.take(key)).toEqual(model.take(key));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('never admits more than its limit in any 60 s, and never fewer if there are enough requests', () => {
    const waits = fc.array(fc.nat({ max: 4_000 }), { minLength: 50, maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), waits, (limit, waitsMs) => {
        const { clock, limiter } = withClock({ perMinute: limit, burst: 0 });
        const passed: number[] = [];
        for (const waitMs of waitsMs) {
          clock.now += waitMs;
          const recent = passed.filter((at) => at > clock.now - WINDOW_MS).length;
          const { allowed } = limiter.take('a');
          expect(allowed).toBe(recent < limit);
          if (allowed) passed.push(clock.now);
        }
      }),
      { numRuns: 100 },
    );
  });
});
