import { expect, it } from 'vitest';
import { createBriefCache, createSharedRead } from '../../src/records/publishing/brief-cache.js';

const answerOf = (text: string) => ({ body: [Buffer.from(text)], etag: '"tag"' });

/** The cache has up to 12 answers and 40 bytes. One owner may fill a quarter of both. */
function start() {
  let now = 0;
  const looked: string[] = [];
  const remember = createBriefCache({ forMs: 100, entries: 12, bytes: 40 }, () => now);
  const askOf = (owner: string, name: string, bytes = 1) =>
    remember({ owner, name }, async () => {
      looked.push(name);
      return answerOf('x'.repeat(bytes));
    });
  const ask = (name: string, bytes = 1) => askOf('one', name, bytes);
  return { ask, askOf, looked, pass: (ms: number) => (now += ms) };
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

it('the cache keeps at most a quarter of its byte limit for one owner, and drops the oldest results', async () => {
  const { ask, looked } = start();
  for (const name of ['a', 'b', 'c']) await ask(name, 5);
  for (const name of ['b', 'c', 'a']) await ask(name, 5);
  expect(looked).toEqual(['a', 'b', 'c', 'a']);
});

it('the cache does not store an answer that is larger than the share of its owner', async () => {
  const { ask, looked } = start();
  await ask('a', 11);
  await ask('a', 11);
  expect(looked).toEqual(['a', 'a']);
});

it('the cache keeps at most a quarter of its limit of answers for one owner', async () => {
  const { ask, looked } = start();
  for (const name of ['a', 'b', 'c', 'd', 'a']) await ask(name);
  expect(looked).toEqual(['a', 'b', 'c', 'd', 'a']);
});

it('the cache does not keep a failed search', async () => {
  const remember = createBriefCache({ forMs: 100, entries: 12, bytes: 40 });
  const name = { owner: 'one', name: 'a' };
  await expect(remember(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await remember(name, async () => answerOf('found'))).toEqual(answerOf('found'));
});

it.each([
  ['short', 1],
  ['long', 8],
])('a flood of %s results of one owner does not displace a result of another', async (_kind, bytes) => {
  const { askOf, looked } = start();
  await askOf('calm', 'kept', 9);
  for (let at = 0; at < 100; at++) await askOf('flood', `f${at}`, bytes);
  await Promise.all(Array.from({ length: 100 }, (_, at) => askOf('flood', `g${at}`, bytes)));
  await askOf('calm', 'kept', 9);
  expect(looked.filter((name) => name === 'kept')).toHaveLength(1);
});

it('the cache keeps at most its limit of answers for all owners together', async () => {
  const { askOf, looked } = start();
  const owners = Array.from({ length: 13 }, (_, at) => `o${at}`);
  for (const owner of [...owners, ...owners.slice(1), 'o0']) await askOf(owner, owner);
  expect(looked).toEqual([...owners, 'o0']);
});

it('a reader who comes when the last reader leaves starts another read', async () => {
  const read = createSharedRead({ forMs: 60_000, entries: 12, bytes: 40 });
  const name = { owner: 'one', name: 'a' };
  const first = new AbortController();
  const left = expect(read(name, first.signal, () => new Promise(() => {}))).rejects.toThrow('left');
  first.abort(new Error('left'));
  const { signal } = new AbortController();
  expect(await read(name, signal, async () => answerOf('found'))).toEqual(answerOf('found'));
  await left;
});
