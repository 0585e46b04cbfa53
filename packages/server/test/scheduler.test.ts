import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import type { Scheduler, Turn } from '../src/platform/work/scheduler.js';
import { toReaders } from '../src/platform/work/task-queue.js';
import { openScheduler } from './support/scheduler.js';

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** The tasks end on request or when the scheduler aborts them. `begun`: the order in which they began. */
function openTasks(scheduler: Scheduler) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    add(name: string, turn: Partial<Turn> = {}) {
      const [projectId = ''] = name;
      return scheduler.run({ projectId, kind: 'media', ...turn }, (signal) => {
        begun.push(name);
        if (signal.aborted) return Promise.reject(signal.reason);
        return new Promise<void>((resolve, reject) => {
          ends.set(name, resolve);
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      });
    },
    /** Waits for the consequences. */
    async end(name: string) {
      await settle();
      ends.get(name)?.();
      await settle();
    },
  };
}

it('one large batch runs at a time on the embedded database, and two on PostgreSQL', () => {
  expect(readConfig({}).work.places).toMatchObject({ batch: 2, bulk: 1 });
  const { work } = readConfig({ DATABASE_URL: 'postgres://h/d' });
  expect(work.places).toMatchObject({ batch: 3, bulk: 2 });
});

describe('the scheduler', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('lets a project rest after a history task only while its tasks hold up other projects', async () => {
    let isContended = true;
    const options = { isContended: (projectId: string) => isContended && projectId === 'a' };
    const scheduler = openScheduler({ history: 1 }, options);
    const begun: string[] = [];
    const work = (projectId: string, ms: number) =>
      scheduler.run({ projectId, kind: 'history' }, async () => {
        begun.push(projectId);
        await sleep(ms);
      });
    await work('a', 40);
    await Promise.all([work('a', 1), work('b', 1)]);
    expect(begun.splice(0)).toEqual(['a', 'b', 'a']);
    isContended = false;
    await work('a', 40);
    await Promise.all([work('a', 1), work('b', 1)]);
    expect(begun).toEqual(['a', 'a', 'b']);
  });

  it.each([
    ['bulk', 3_900],
    ['history', 900],
  ] as const)(
    'after a task of 2 s of the kind %s, a project rests for the maximum of this kind instead of 6 s',
    async (kind, restMs) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const options = { isContended: () => true };
      const { add, begun, end } = openTasks(openScheduler({ [kind]: 1 }, options));
      void add('a1', { kind });
      await vi.advanceTimersByTimeAsync(2_000);
      await end('a1');
      void add('a2', { kind });
      await vi.advanceTimersByTimeAsync(restMs);
      expect(begun).toEqual(['a1']);
      await vi.advanceTimersByTimeAsync(200);
      expect(begun).toEqual(['a1', 'a2']);
    },
  );

  it('takes turns between projects, whatever number of tasks each of them has', async () => {
    const { add, begun, end } = openTasks(openScheduler());
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void add(name);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('never gives all slots of a kind to one project if there are several slots', async () => {
    const { add, begun, end } = openTasks(openScheduler({ media: 3 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name);
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    void add('b1');
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('a project and its public readers have separate slots for histories, and leave one to other projects', async () => {
    const { places } = readConfig({}).work;
    expect(places.history).toBeGreaterThanOrEqual(3);
    for (const [history, ofProject, ofReaders] of [
      [3, 1, 1],
      [8, 5, 2],
    ] as const) {
      const { add, begun } = openTasks(openScheduler({ history }));
      const addMany = (name: string, projectId: string) => {
        for (let count = 0; count < history; count++) void add(name, { projectId, kind: 'history' });
      };
      addMany('a', 'a');
      addMany('readers of a', toReaders('a'));
      addMany('readers of b', toReaders('b'));
      await settle();
      const expected = { a: ofProject, 'readers of a': ofReaders, 'readers of b': 1 };
      for (const [name, count] of Object.entries(expected))
        expect(begun.filter((one) => one === name)).toHaveLength(count);
    }
  });

  it('the public readers of all projects together never have all slots', async () => {
    const { add, begun, end } = openTasks(openScheduler({ history: 3 }));
    const read = (name: string) => void add(name, { projectId: toReaders(name), kind: 'history' });
    for (const name of ['a', 'b', 'c', 'd']) read(name);
    await settle();
    expect(begun).toEqual(['a', 'b']);
    void add('e', { kind: 'history' });
    await settle();
    expect(begun).toEqual(['a', 'b', 'e']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'e', 'c']);
    await end('e');
    expect(begun).toEqual(['a', 'b', 'e', 'c']);
  });

  it('gives at most half of the slots for fetches to one project', async () => {
    const { add, begun } = openTasks(openScheduler({ fetch: 4 }));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void add(name, { kind: 'fetch' });
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('leaves memory for other projects, and runs a small task before a task that does not fit', async () => {
    const scheduler = openScheduler({ media: 9 }, { memoryBytes: 300 });
    const { add, begun, end } = openTasks(scheduler);
    void add('a1', { memoryBytes: 150 });
    void add('a2', { memoryBytes: 60 });
    void add('b1', { memoryBytes: 160 });
    void add('c1', { memoryBytes: 100 });
    await settle();
    expect([begun, scheduler.memoryBytes()]).toEqual([['a1', 'c1'], 250]);
    await end('a1');
    await end('c1');
    expect([begun, scheduler.memoryBytes()]).toEqual([['a1', 'c1', 'a2', 'b1'], 220]);
  });

  it('runs a task that needs more memory than exists, and a task of another project beside it', async () => {
    const { add, begun } = openTasks(openScheduler({ media: 9 }, { memoryBytes: 300 }));
    void add('a1', { memoryBytes: 10_000 });
    void add('b1', { memoryBytes: 100 });
    await settle();
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('has separate slots for each kind of task, and one memory limit for all kinds', async () => {
    const { add, begun, end } = openTasks(openScheduler({}, { memoryBytes: 300 }));
    void add('a1', { memoryBytes: 200 });
    void add('b1', { kind: 'search', memoryBytes: 150 });
    void add('c1', { kind: 'describe' });
    await settle();
    expect(begun).toEqual(['a1', 'c1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'c1', 'b1']);
  });

  it('reserves memory for a project that holds none, and serves it first', async () => {
    const { add, begun, end } = openTasks(openScheduler({ media: 9, search: 9 }, { memoryBytes: 300 }));
    void add('a1', { memoryBytes: 120 });
    void add('a2', { memoryBytes: 80 });
    void add('b1', { kind: 'search', memoryBytes: 190 });
    void add('a3', { memoryBytes: 60 });
    void add('a4', { kind: 'history' });
    void add('c1', { memoryBytes: 20 });
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'a4', 'c1']);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2', 'a4', 'c1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a4', 'c1', 'b1', 'a3']);
  });

  it('releases memory reserved for a task as soon as its caller leaves', async () => {
    const { add, begun } = openTasks(openScheduler({ media: 9 }, { memoryBytes: 300 }));
    const gone = new AbortController();
    void add('a1', { memoryBytes: 120 });
    const left = add('b1', { memoryBytes: 190, signal: gone.signal });
    void add('a2', { memoryBytes: 60 });
    await settle();
    expect(begun).toEqual(['a1']);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('reserves the last third of the memory for projects that use no memory yet', async () => {
    const { add, begun } = openTasks(openScheduler({ media: 9, search: 9 }, { memoryBytes: 300 }));
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1']) void add(name, { memoryBytes: 60 });
    await settle();
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
  });

  it('starts a task of another kind each time memory becomes free', async () => {
    const { add, begun, end } = openTasks(openScheduler({}, { memoryBytes: 100 }));
    void add('a1', { memoryBytes: 100 });
    for (const name of ['b1', 'b2']) void add(name, { memoryBytes: 100 });
    void add('c1', { kind: 'search', memoryBytes: 100 });
    void add('d1', { kind: 'describe', memoryBytes: 100 });
    for (const name of ['a1', 'c1', 'd1']) await end(name);
    expect(begun).toEqual(['a1', 'c1', 'd1', 'b1']);
  });

  it('runs background tasks after all other tasks, and rejects no background task that waits', async () => {
    const scheduler = openScheduler({}, { maxWaiting: 1, maxWaitMs: 1 });
    const { add, begun, end } = openTasks(scheduler);
    void add('a1');
    void add('a2', { isBackground: true });
    void add('b1', { isBackground: true });
    void add('b2', { isBackground: true });
    for (const name of ['a1', 'a2', 'b1']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(scheduler.counts().media).toEqual({ running: 1, waiting: 0, refused: 0 });
  });

  it('gives the late background tasks of all projects together the turns of one project', async () => {
    vi.useFakeTimers();
    const scheduler = openScheduler({ media: 2 }, { maxWaitMs: 10_000 });
    const { add, begun, end } = openTasks(scheduler);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4']) void add(name).catch(() => {});
    for (const name of ['c1', 'd1']) void add(name, { isBackground: true, canRestart: true });
    for (const name of ['a1', 'b1']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2']);
    await vi.advanceTimersByTimeAsync(5_000);
    await end('a2');
    expect(begun.slice(4)).toEqual(['c1']);
    // The waiting foreground tasks are also late, but do not end the background task.
    for (const name of ['b2', 'a3', 'b3']) await end(name);
    expect(begun.slice(5)).toEqual(['a3', 'b3', 'a4']);
    await end('c1');
    expect(begun.slice(8)).toEqual(['d1']);
    for (const name of ['a4', 'd1', 'b4']) await end(name);
    expect(scheduler.counts().media).toEqual({ running: 0, waiting: 0, refused: 0 });
  });

  it('aborts a late background task only once for waiting requests, even if there is only one slot', async () => {
    vi.useFakeTimers();
    const scheduler = openScheduler({ video: 1 }, { maxWaitMs: 10_000 });
    const { add, begun, end } = openTasks(scheduler);
    void add('a1', { kind: 'video' });
    void add('c1', { kind: 'video', isBackground: true, canRestart: true });
    await vi.advanceTimersByTimeAsync(5_000);
    void add('b1', { kind: 'video' });
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    // The waiting request ends the first attempt.
    await vi.advanceTimersByTimeAsync(5_000);
    expect(begun.slice(2)).toEqual(['b1']);
    void add('a2', { kind: 'video' }).catch(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    await end('b1');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun.slice(3)).toEqual(['c1']);
    await end('c1');
    expect(begun.slice(4)).toEqual(['a2']);
  });

  it('reserves memory for a late background task in its turn', async () => {
    vi.useFakeTimers();
    const scheduler = openScheduler({ media: 4 }, { maxWaitMs: 10_000, memoryBytes: 300 });
    const { add, begun, end } = openTasks(scheduler);
    void add('a1', { memoryBytes: 120 });
    for (const name of ['a2', 'a3', 'a4']) void add(name, { memoryBytes: 80 });
    void add('c1', { isBackground: true, memoryBytes: 190 });
    await vi.advanceTimersByTimeAsync(5_000);
    await end('a2');
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun.slice(0, 3)).toEqual(['a1', 'a2', 'c1']);
  });

  it('reserves memory for a late background task while only foreground tasks of other kinds run', async () => {
    vi.useFakeTimers();
    const scheduler = openScheduler({ media: 4 }, { maxWaitMs: 10_000, memoryBytes: 300 });
    const { add, begun, end } = openTasks(scheduler);
    const names = [...'abdefghi'].map((projectId) => `${projectId}1`);
    for (const name of names) void add(name, { memoryBytes: 200 }).catch(() => {});
    void add('c1', { kind: 'describe', isBackground: true, memoryBytes: 150 });
    await vi.advanceTimersByTimeAsync(5_000);
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
    await end('c1');
    expect(begun.slice(2)).toEqual(['b1']);
  });

  it('503: rejects background work above the queue limit only if a caller waits for it', async () => {
    const scheduler = openScheduler({}, { maxWaiting: 1 });
    const { add } = openTasks(scheduler);
    for (const name of ['a1', 'a2', 'a3']) void add(name, { isBackground: true });
    void add('a4', { isBackground: true, hasCaller: true });
    await expect(add('a5', { isBackground: true, hasCaller: true })).rejects.toThrow('WORK_MAX_WAITING');
    expect(scheduler.counts().media).toEqual({ running: 1, waiting: 3, refused: 1 });
  });

  it('503: rejects a task above the queue limit of its project, and no task of another project', async () => {
    const scheduler = openScheduler({}, { maxWaiting: 2 });
    const { add } = openTasks(scheduler);
    for (const name of ['a1', 'a2', 'a3']) void add(name);
    await expect(add('a4')).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('WORK_MAX_WAITING'),
      headers: { 'retry-after': '2' },
    });
    void add('b1');
    expect(scheduler.counts().media).toEqual({ running: 1, waiting: 3, refused: 1 });
  });

  it('503: rejects a task that gets no slot in time', async () => {
    const scheduler = openScheduler({}, { maxWaitMs: 5 });
    const { add, begun, end } = openTasks(scheduler);
    void add('a1');
    await expect(add('b1')).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('WORK_MAX_WAIT_MS'),
    });
    await end('a1');
    expect(begun).toEqual(['a1']);
    expect(scheduler.counts().media).toEqual({ running: 0, waiting: 0, refused: 1 });
  });

  it('503: names the lack of memory as the reason when a slot was free', async () => {
    const scheduler = openScheduler({ media: 4 }, { maxWaitMs: 5, memoryBytes: 100 });
    const { add } = openTasks(scheduler);
    void add('a1', { memoryBytes: 60 });
    await expect(add('a2', { memoryBytes: 60 })).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining('too little memory (WORKER_MEMORY_BYTES)'),
    });
  });

  it('never starts an abandoned task', async () => {
    const { add, begun, end } = openTasks(openScheduler());
    const leaving = new AbortController();
    void add('a1');
    const gone = add('b1', { signal: leaving.signal });
    void add('c1');
    leaving.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    await expect(add('d1', { signal: leaving.signal })).rejects.toThrow('left');
    await end('a1');
    expect(begun).toEqual(['a1', 'c1']);
  });

  it('keeps the slot of a failed task until its thread has ended', async () => {
    const scheduler = openScheduler();
    let ended = () => {};
    const thread = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const failed = scheduler.run({ projectId: 'a', kind: 'media' }, async (_signal, hold) => {
      hold(thread);
      throw new Error('too slow');
    });
    const { add, begun } = openTasks(scheduler);
    void add('b1');
    await expect(failed).rejects.toThrow('too slow');
    expect(begun).toEqual([]);
    ended();
    await settle();
    expect(begun).toEqual(['b1']);
  });

  it('starts tasks of other kinds while a large body waits for the memory of bodies', async () => {
    const scheduler = openScheduler({ media: 3, body: 3 }, { memoryBytes: 90, bodyBytes: 90 });
    const { add, begun } = openTasks(scheduler);
    void add('a1', { kind: 'media', memoryBytes: 10 });
    void add('b1', { kind: 'body', memoryBytes: 60 });
    void add('c1', { kind: 'body', memoryBytes: 60 });
    void add('a2', { kind: 'media', memoryBytes: 10 });
    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  });
});
