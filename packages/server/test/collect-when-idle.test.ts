import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createIdleCheck, exposeCollector } from '../src/platform/threads/collect-when-idle.js';

const MEBIBYTE = 2 ** 20;

it('a thread collects garbage twice when it becomes idle; while idle, only after large growth', () => {
  let [share, heap, collections] = [0.5, 100 * MEBIBYTE, 0];
  const check = createIdleCheck({
    workedShare: () => share,
    heapBytes: () => heap,
    collect() {
      collections += 1;
      heap = 60 * MEBIBYTE;
    },
  });
  const countAfter = (checks: number) => {
    for (let time = 0; time < checks; time++) check();
    return collections;
  };
  expect(countAfter(10)).toBe(0);
  share = 0.01;
  expect([countAfter(1), countAfter(1), countAfter(10)]).toEqual([0, 1, 2]);
  heap = 80 * MEBIBYTE;
  expect(countAfter(10)).toBe(2);
  heap = 130 * MEBIBYTE;
  expect(countAfter(10)).toBe(4);
  heap = 80 * MEBIBYTE;
  share = 0.5;
  expect(countAfter(10)).toBe(4);
  share = 0.01;
  expect(countAfter(2)).toBe(5);
  // Work delays the second collection until the thread is idle again.
  share = 0.5;
  expect(countAfter(10)).toBe(5);
});

it('`exposeCollector` returns a function that frees the heap; later contexts have no global variable `gc`', () => {
  const collect = exposeCollector();
  const before = getHeapStatistics().used_heap_size;
  let garbage: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  expect(garbage.length).toBe(1_000_000);
  const full = getHeapStatistics().used_heap_size;
  garbage = undefined;
  collect();
  expect(full - before).toBeGreaterThan(20 * MEBIBYTE);
  expect(getHeapStatistics().used_heap_size).toBeLessThan(full - 20 * MEBIBYTE);
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
