import { expect, it } from 'vitest';
import { rememberPositions, shareQuestions } from '../../src/platform/db/wal-position.js';

it('callers share queries, and each caller gets the answer to a query that began after the call', async () => {
  let asked = 0;
  const answers: (() => void)[] = [];
  const ask = shareQuestions(async () => {
    const number = ++asked;
    await new Promise<void>((resolve) => answers.push(resolve));
    return number;
  });
  const first = ask();
  await Promise.resolve();
  expect(asked).toBe(1);
  const later = [ask(), ask(), ask()];
  expect(asked).toBe(1);
  answers.shift()?.();
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  answers.shift()?.();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  expect(asked).toBe(2);
});

it('a failed query is repeated for callers that arrived meanwhile', async () => {
  let asked = 0;
  const ask = shareQuestions(async () => {
    asked++;
    if (asked === 1) throw new Error('away');
    return asked;
  });
  const first = ask();
  await Promise.resolve();
  const second = ask();
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
});

it('a caller gets a known position at once, unless it is older than the maximum age', async () => {
  let [now, asked] = [0, 0];
  let isAway = false;
  const ask = async () => {
    if (isAway) throw new Error('away');
    return ++asked;
  };
  const { ask: read } = rememberPositions(ask, 1_000, () => now);
  const readAt = async (ms: number) => {
    now = ms;
    const position = await read();
    await new Promise(setImmediate);
    return position;
  };
  expect(await readAt(0)).toBe(1);
  expect(await readAt(100)).toBe(1);
  expect(asked).toBe(1);
  for (const ms of [250, 500, 750, 999]) expect(await readAt(ms)).toBe(1);
  expect(asked).toBe(4);
  expect(await readAt(1_000)).toBe(2);
  isAway = true;
  expect(await readAt(1_499)).toBe(3);
  await expect(readAt(2_500)).rejects.toThrow('away');
  isAway = false;
  expect(await readAt(2_501)).toBe(6);
  expect(await rememberPositions(ask, 0).ask()).toBe(7);
});

it('after `forget`, nobody gets the old position or the result of a running query', async () => {
  let [now, asked] = [0, 0];
  const answers: (() => void)[] = [];
  const ask = async () => {
    const number = ++asked;
    await new Promise<void>((resolve) => answers.push(resolve));
    return number;
  };
  const positions = rememberPositions(ask, 1_000, () => now);
  const first = [positions.ask(), positions.ask()];
  answers.shift()?.();
  expect(await Promise.all(first)).toEqual([1, 1]);
  now = 500;
  expect(await positions.ask()).toBe(1);
  expect(asked).toBe(2);
  positions.forget();
  const later = positions.ask();
  for (const answer of answers.splice(0)) answer();
  expect(await later).toBe(3);
  expect(await positions.ask()).toBe(3);
});
