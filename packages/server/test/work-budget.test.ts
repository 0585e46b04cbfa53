import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makePicture } from '../../../bench/support/pictures.mjs';
import { createMediaEngine } from '../src/media/create-media-engine.js';
import { createSearchPool } from '../src/search/search-pool.js';
import { createWorkBudget, type Place, type WorkBudget } from '../src/work-budget.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-budget-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A pool that does the tasks it has, each when it gets its place, and tells in which order all pools did theirs. */
function createPool(budget: WorkBudget, name: string, done: string[]) {
  const tasks: number[] = [];
  const places: Place[] = [];
  const dispatch = () => {
    for (let [first] = tasks; first !== undefined; [first] = tasks) {
      const place = budget.take(dispatch, first);
      if (place === undefined) return;
      tasks.shift();
      done.push(`${name}${first}`);
      places.push(place);
    }
  };
  return {
    tasks,
    add(...memoryBytes: number[]) {
      tasks.push(...memoryBytes);
      dispatch();
    },
    finish: () => places.shift()?.(),
  };
}

describe('the budget of all threads', () => {
  it('lets so many tasks run at a time, and the next one when one has ended', () => {
    const done: string[] = [];
    const pool = createPool(createWorkBudget({ tasks: 2, memoryBytes: 100 }), 'a', done);
    pool.add(1, 2, 3, 4);
    expect(done).toEqual(['a1', 'a2']);
    pool.finish();
    expect(done).toEqual(['a1', 'a2', 'a3']);
  });

  it('gives pools their turns in the order in which they were refused, however much one has to do', () => {
    const done: string[] = [];
    const budget = createWorkBudget({ tasks: 1, memoryBytes: 100 });
    const [busy, other] = [createPool(budget, 'a', done), createPool(budget, 'b', done)];
    busy.add(1, 2, 3);
    other.add(1, 2);
    for (const pool of [busy, busy, other, busy]) pool.finish();
    expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('lets tasks wait that together need more memory than there is; a large one is not passed by', () => {
    const done: string[] = [];
    const budget = createWorkBudget({ tasks: 9, memoryBytes: 100 });
    const [large, small] = [createPool(budget, 'l', done), createPool(budget, 's', done)];
    small.add(30, 31);
    large.add(80);
    small.add(1, 2);
    expect(done).toEqual(['s30', 's31']);
    small.finish();
    expect(done).toEqual(['s30', 's31']);
    small.finish();
    expect(done).toEqual(['s30', 's31', 'l80', 's1', 's2']);
  });

  it('lets a task run alone that needs more than there is', () => {
    const done: string[] = [];
    createPool(createWorkBudget({ tasks: 2, memoryBytes: 100 }), 'a', done).add(1_000, 1);
    expect(done).toEqual(['a1000']);
  });

  it('passes over a pool that has nothing to do any more', () => {
    const done: string[] = [];
    const budget = createWorkBudget({ tasks: 1, memoryBytes: 100 });
    const [first, gone, last] = ['a', 'b', 'c'].map((name) => createPool(budget, name, done));
    for (const pool of [first, gone, last]) pool?.add(1);
    gone?.tasks.splice(0);
    first?.finish();
    expect(done).toEqual(['a1', 'c1']);
  });

  it('counts a place once that is given back twice', () => {
    const budget = createWorkBudget({ tasks: 1, memoryBytes: 100 });
    const ignore = () => {};
    const first = budget.take(ignore, 1);
    first?.();
    const second = budget.take(ignore, 1);
    first?.();
    expect([second !== undefined, budget.take(ignore, 1)]).toEqual([true, undefined]);
  });
});

it('media and descriptors never do more at a time than the budget of both allows', async () => {
  const whole = createWorkBudget({ tasks: 1, memoryBytes: 2 ** 30 });
  const asked = { places: 0, atMost: 0, inAll: 0 };
  const budget: WorkBudget = {
    take(again, memoryBytes) {
      const place = whole.take(again, memoryBytes);
      if (place === undefined) return undefined;
      asked.places += 1;
      asked.inAll += 1;
      asked.atMost = Math.max(asked.atMost, asked.places);
      let isTaken = true;
      return () => {
        if (isTaken) asked.places -= 1;
        isTaken = false;
        place();
      };
    },
  };
  const file = path.join(folder, 'photo.png');
  writeFileSync(file, await makePicture(1));
  const terms = { threads: 2, timeoutMs: 60_000, maxWaitMs: 60_000, budget };
  const pool = createSearchPool(terms);
  const engine = await createMediaEngine({ ...terms, maxBytes: 2 ** 24 });
  const bytes = Buffer.from('one two three four five six '.repeat(5));
  await Promise.all(
    [1, 2, 3].flatMap(() => [
      pool.run({ kind: 'describe', as: 'text', mediaType: 'text/plain', bytes }),
      engine.read({ path: file, mediaType: 'image/png' }),
    ]),
  );
  await Promise.all([pool.close(), engine.close()]);
  expect(asked).toEqual({ places: 0, atMost: 1, inAll: 6 });
});
