import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFairLimit, createGroupedLimit } from '../src/platform/work/limit-concurrency.js';

/** `end` ends the oldest running function. `begun` lists the functions that began. */
function createWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async () => {
    await settle(); // a call of `limit` returns before its function begins
    ends.shift()?.();
    await settle();
  };
  return { begun, run, end };
}

describe('createFairLimit', () => {
  it('lets waiting callers take turns, however many functions one of them has', async () => {
    const limit = createFairLimit({ atOnce: 1, waiting: 10, waitingOfOne: 5 });
    const { begun, run, end } = createWork();
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => limit(name.slice(0, 1), run(name)));
    for (let ended = 0; ended < calls.length; ended++) await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
    expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
  });

  it('refuses calls above the limit of one caller or of all callers, and works again afterwards', async () => {
    const limit = createFairLimit({ atOnce: 2, waiting: 3, waitingOfOne: 2 });
    const { begun, run, end } = createWork();
    const calls = ['a', 'a', 'a', 'a'].map((caller) => limit(caller, run(caller)));
    await expect(limit('a', run('a'))).rejects.toMatchObject({ code: 'Unavailable' });
    calls.push(limit('b', run('b')));
    await expect(limit('c', run('c'))).rejects.toMatchObject({ code: 'Unavailable' });
    for (let ended = 0; ended < calls.length; ended++) await end();
    await Promise.all(calls);
    const failed = limit('d', () => Promise.reject(new Error('failed')));
    await expect(failed).rejects.toThrow('failed');
    const last = [limit('e', run('e')), limit('e', run('e'))];
    await end();
    await end();
    await Promise.all(last);
    expect(begun).toHaveLength(7);
  });

  it('leaves room for other callers when one caller has reached its limit', async () => {
    const limit = createFairLimit({ atOnce: 3, atOnceOfOne: 2 });
    const { begun, run, end } = createWork();
    const calls = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => limit(name.slice(0, 1), run(name)));
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (let ended = 1; ended < calls.length; ended++) await end();
    expect(begun.at(-1)).toBe('b2');
    await Promise.all(calls);
    expect(limit.counts()).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it('refuses a call that waits too long, and never starts an abandoned call', async () => {
    const limit = createFairLimit({ atOnce: 1, maxWaitMs: 20, message: 'none was free' });
    const { begun, run, end } = createWork();
    const gone = new AbortController();
    const first = limit('a', run('a'));
    const abandoned = expect(limit('b', run('b'), gone.signal)).rejects.toThrow('left');
    gone.abort(new Error('left'));
    await abandoned;
    await expect(limit('c', run('c'))).rejects.toMatchObject({
      code: 'Unavailable',
      message: 'none was free',
    });
    await end();
    await first;
    expect(begun).toEqual(['a']);
    expect(limit.counts()).toEqual({ running: 0, waiting: 0, refused: 1 });
  });
});

describe('createGroupedLimit', () => {
  const OPTIONS = {
    all: { atOnce: 1, waiting: 4 },
    ofGroup: { atOnce: 2, waiting: 50, waitingOfOne: 2 },
  };

  it('begins a waiting function after at most two functions of another group, even if it has 40 callers', async () => {
    const limit = createGroupedLimit(OPTIONS);
    const { begun, run, end } = createWork();
    const flood = Array.from({ length: 40 }, (_, at) =>
      limit({ group: 'flood', caller: `c${at}` }, run('flood')),
    );
    const calm = limit({ group: 'calm', caller: 'c' }, run('calm'));
    await end();
    await end();
    // One function of the flood ran already, and one more may run before `calm`.
    expect(begun.indexOf('calm')).toBeLessThanOrEqual(2);
    for (let ended = 2; ended < 41; ended++) await end();
    expect(await calm).toBe('calm');
    expect(await Promise.all(flood)).toHaveLength(40);
  });

  it('serves the callers of a group in turn, and refuses only calls above the limit of their own group', async () => {
    const limit = createGroupedLimit({ ...OPTIONS, ofGroup: { ...OPTIONS.ofGroup, atOnce: 1, waiting: 3 } });
    const { begun, run, end } = createWork();
    const calls = ['a1', 'a2', 'a3', 'b1'].map((name) =>
      limit({ group: 'one', caller: name.slice(0, 1) }, run(name)),
    );
    const refused = limit({ group: 'one', caller: 'c' }, run('c1'));
    await expect(refused).rejects.toMatchObject({ code: 'Unavailable' });
    calls.push(limit({ group: 'two', caller: 'c' }, run('d1')));
    for (let ended = 0; ended < calls.length; ended++) await end();
    await Promise.all(calls);
    expect(begun).toEqual(['a1', 'd1', 'a2', 'b1', 'a3']);
  });

  it('lets the parts of a group take turns, and refuses only calls of the part whose queue is full', async () => {
    const one = { atOnce: 1, waiting: 3 };
    const limit = createGroupedLimit({ all: { atOnce: 1 }, ofGroup: one, ofPart: one });
    const { begun, run, end } = createWork();
    const ask = (part: string, name: string) => limit({ group: 'owner', part, caller: name }, run(name));
    const calls = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name));
    await expect(ask('a', 'a5')).rejects.toMatchObject({ code: 'Unavailable' });
    calls.push(ask('b', 'b1'), limit({ group: 'other', caller: 'c' }, run('c1')));
    for (let ended = 0; ended < calls.length; ended++) await end();
    await Promise.all(calls);
    expect(begun).toEqual(['a1', 'c1', 'b1', 'a2', 'a3', 'a4']);
  });

  it('refuses a function when its waits in both queues together exceed the maximum wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const limit = createGroupedLimit({
      all: { atOnce: 1, maxWaitMs: 1_000 },
      ofGroup: { atOnce: 1, maxWaitMs: 1_000 },
    });
    const { begun, run, end } = createWork();
    const first = limit({ group: 'one', caller: 'a' }, run('one'));
    const other = limit({ group: 'two', caller: 'b' }, run('two'));
    const refused = expect(limit({ group: 'one', caller: 'a' }, run('late'))).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await vi.advanceTimersByTimeAsync(900);
    await end(); // `two` starts, and `late` has its turn within its group
    await vi.advanceTimersByTimeAsync(150);
    await end();
    await end();
    await Promise.all([first, other, refused]);
    expect(begun).toEqual(['one', 'two']);
  });
});

afterEach(() => {
  vi.useRealTimers();
});
