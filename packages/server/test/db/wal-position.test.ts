import { expect, it } from 'vitest';
import { shareQuestions } from '../../src/platform/db/wal-position.js';

it('callers share questions, and none gets an answer that was asked for before it came', async () => {
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

it('a question that failed is asked again for who came meanwhile', async () => {
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
