import { expect, it } from 'vitest';
import { shareQuestions } from '../../src/platform/db/wal-position.js';

it('callers share queries, and no caller gets an answer to a query that began before its request', async () => {
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
