import { expect, it } from 'vitest';
import { createBriefCache } from '../../src/records/publishing/brief-cache.js';

const answerOf = (text: string) => ({ body: [Buffer.from(text)], etag: '"tag"' });

/** A cache of up to 3 answers and 10 bytes, and the names of its misses. */
function start() {
  let now = 0;
  const looked: string[] = [];
  const remember = createBriefCache({ forMs: 100, entries: 3, bytes: 10 }, () => now);
  const ask = (name: string, bytes = 1) =>
    remember(name, async () => {
      looked.push(name);
      return answerOf('x'.repeat(bytes));
    });
  return { ask, looked, pass: (ms: number) => (now += ms) };
}

it('concurrent callers share one search, and its result is cached for a short time', async () => {
  const { ask, looked, pass } = start();
  await Promise.all([ask('a'), ask('a')]);
  pass(99);
  await ask('a');
  expect(looked).toEqual(['a']);
  pass(1);
  await ask('a');
  expect(looked).toEqual(['a', 'a']);
});

it('the cache keeps at most its limit of bytes, and drops the oldest results', async () => {
  const { ask, looked } = start();
  for (const name of ['a', 'b', 'c']) await ask(name, 5);
  for (const name of ['b', 'c', 'a']) await ask(name, 5);
  expect(looked).toEqual(['a', 'b', 'c', 'a']);
});

it('the cache does not store an answer that is larger than its limit', async () => {
  const { ask, looked } = start();
  await ask('a', 11);
  await ask('a', 11);
  expect(looked).toEqual(['a', 'a']);
});

it('the cache keeps at most its limit of answers', async () => {
  const { ask, looked } = start();
  for (const name of ['a', 'b', 'c', 'd', 'a']) await ask(name);
  expect(looked).toEqual(['a', 'b', 'c', 'd', 'a']);
});

it('the cache does not keep a failed search', async () => {
  const remember = createBriefCache({ forMs: 100, entries: 3, bytes: 10 });
  await expect(remember('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await remember('a', async () => answerOf('found'))).toEqual(answerOf('found'));
});
