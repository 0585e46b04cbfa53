import { expect, it } from 'vitest';
import { createConcurrencyLimit, type LimitConcurrency } from '../../src/platform/work/limit-concurrency.js';

function hold(limit: LimitConcurrency) {
  let release = () => {};
  const first = limit(() => new Promise<void>((resolve) => (release = resolve)));
  return { first, release: () => release() };
}

it('a waiting function whose signal aborts never runs, and another call gets its place', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: 1 });
  const { first, release } = hold(limit);
  const caller = new AbortController();
  const ran: string[] = [];
  const aborted = limit(async () => ran.push('aborted'), caller.signal);
  const reason = new Error('The caller left');
  caller.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  const next = limit(async () => ran.push('next'));
  release();
  await Promise.all([first, next]);
  expect(ran).toEqual(['next']);
});

it('a call above the limit is rejected with Retry-After', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, waiting: 0 });
  const { first, release } = hold(limit);
  await expect(limit(async () => {})).rejects.toMatchObject({
    code: 'Unavailable',
    headers: { 'retry-after': '1' },
  });
  release();
  await first;
});
