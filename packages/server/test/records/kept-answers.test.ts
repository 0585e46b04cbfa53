import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/platform/db/database.js';
import { createAnswerCache } from '../../src/records/read/answer-cache.js';
import { createAnswers, type Reading } from '../../src/records/read/answers.js';

const answerOf = (sizeBytes: number, revision = 1) => ({
  body: [Buffer.alloc(sizeBytes)],
  etag: '"tag"',
  revision,
});

describe('cached answers in memory', () => {
  it('stay within their limit: the cache drops the least recently used answer first', () => {
    const kept = createAnswerCache(40_000);
    for (let place = 0; place < 20; place++) {
      kept.keep({ projectId: 'a', name: String(place) }, answerOf(1_000));
      kept.find('a', '0');
    }
    expect(kept.find('a', '0')).toBeDefined();
    expect(kept.find('a', '19')).toBeDefined();
    expect(kept.find('a', '1')).toBeUndefined();
    expect(kept.bytes()).toBeLessThanOrEqual(10_000);
  });

  it('of one project leave room for another project, and all answers together stay within the limit', () => {
    const kept = createAnswerCache(40_000);
    kept.keep({ projectId: 'b', name: 'x' }, answerOf(1_000));
    for (let place = 0; place < 100; place++)
      kept.keep({ projectId: 'a', name: String(place) }, answerOf(1_000));
    expect(kept.find('b', 'x')).toBeDefined();
    for (let place = 0; place < 100; place++)
      kept.keep({ projectId: randomUUID(), name: 'x' }, answerOf(1_000));
    expect(kept.bytes()).toBeLessThanOrEqual(40_000);
    expect(kept.find('a', '99')).toBeUndefined();
  });

  it('larger than 1 MiB are not cached, and a cache of 0 bytes caches nothing', () => {
    const kept = createAnswerCache(2 ** 30);
    kept.keep({ projectId: 'a', name: 'x' }, answerOf(2 ** 20 + 1));
    expect(kept.find('a', 'x')).toBeUndefined();
    const none = createAnswerCache(0);
    none.keep({ projectId: 'a', name: 'x' }, answerOf(0));
    expect([none.find('a', 'x'), none.bytes()]).toEqual([undefined, 0]);
  });

  it('of an outdated revision are neither stored nor found', () => {
    const kept = createAnswerCache(40_000);
    kept.keep({ projectId: 'a', name: 'new' }, answerOf(10, 7));
    kept.keep({ projectId: 'a', name: 'old' }, answerOf(10, 6));
    expect(kept.find('a', 'old')).toBeUndefined();
    kept.noteRevision('a', 8);
    expect(kept.find('a', 'new')).toBeUndefined();
  });

  it('release their memory as soon as their project has a newer revision', () => {
    const kept = createAnswerCache(40_000);
    const keepSix = (revision: number) => {
      for (let place = 0; place < 6; place++)
        kept.keep({ projectId: 'a', name: `${revision} ${place}` }, answerOf(1_000, revision));
    };
    keepSix(1);
    expect(kept.bytes()).toBeGreaterThan(6_000);
    kept.noteRevision('a', 2);
    expect(kept.bytes()).toBeLessThan(1_000);
    keepSix(2);
    kept.keep({ projectId: 'a', name: 'x' }, answerOf(10, 3));
    expect(kept.bytes()).toBeLessThan(1_500);
  });

  it('of earlier revisions are dropped, but the entry of their project stays and counts as memory', () => {
    const kept = createAnswerCache(40_000);
    for (let place = 0; place < 200; place++) {
      kept.keep({ projectId: String(place), name: 'x' }, answerOf(10));
      kept.noteRevision(String(place), 2);
    }
    kept.keep({ projectId: '0', name: 'x' }, answerOf(10));
    expect(kept.find('0', 'x')).toBeDefined();
    kept.keep({ projectId: '199', name: 'x' }, answerOf(10));
    expect(kept.find('199', 'x')).toBeUndefined();
  });
});

/** Returns a revision when `release` is called. */
function gatedRevisions(number: () => number) {
  const asked: string[][] = [];
  const waiting: (() => void)[] = [];
  const reads: Queryable = {
    async query<Row>(_text: string, parameters: readonly unknown[] = []) {
      const ids = parameters[0] as string[];
      asked.push(ids);
      const current = number();
      await new Promise<void>((resolve) => waiting.push(resolve));
      return ids.map((id) => ({ id, number: current })) as Row[];
    },
  };
  return { reads, asked, release: () => waiting.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a cached answer', () => {
  it('needs a look-up of the revision, and requests during a look-up share the next look-up', async () => {
    const { reads, asked, release } = gatedRevisions(() => 1);
    const answers = createAnswers(reads, 2 ** 20);
    const read = async (): Promise<Reading> => ({ text: '{}', revision: 1 });
    await answers.answer('a', 'x', read);
    const first = answers.answer('a', 'x', read);
    await settled();
    const rest = [1, 2, 3].map(() => answers.answer('a', 'x', read));
    await settled();
    expect(asked).toEqual([['a']]);
    release();
    await first;
    await settled();
    expect(asked).toEqual([['a'], ['a']]);
    release();
    await Promise.all(rest);
    expect(answers.counts()).toMatchObject({ hits: 4, misses: 1 });
  });

  it('of an earlier revision is created again, with another ETag', async () => {
    let revision = 1;
    const { reads, release } = gatedRevisions(() => revision);
    const answers = createAnswers(reads, 2 ** 20);
    const ask = () => answers.answer('a', 'x', async () => ({ text: `{"at": ${revision}}`, revision }));
    const first = await ask();
    revision = 2;
    const second = ask();
    await settled();
    release();
    expect((await second)?.body.join('')).toBe('{"at": 2}');
    expect((await second)?.etag).not.toBe(first?.etag);
  });

  it('is not stored if it has no text, or if it was read without a revision', async () => {
    const { reads, asked } = gatedRevisions(() => 1);
    const answers = createAnswers(reads, 2 ** 20);
    expect(await answers.answer('a', 'x', async () => ({ text: undefined, revision: 1 }))).toBeUndefined();
    await answers.answer('a', 'y', async () => ({ text: '{}', revision: undefined }));
    await answers.answer('a', 'y', async () => ({ text: '{}', revision: undefined }));
    expect([asked, answers.counts().misses]).toEqual([[], 3]);
  });
});
