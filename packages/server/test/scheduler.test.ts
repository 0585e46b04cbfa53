import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import type { Scheduler, Turn } from '../src/platform/work/scheduler.js';
import { openScheduler } from './support/scheduler.js';

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** Tasks that end on request, and the order in which they began. */
function openTasks(scheduler: Scheduler) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    add(name: string, turn: Partial<Turn> = {}) {
      const [projectId = ''] = name;
      return scheduler.run({ projectId, kind: 'media', ...turn }, () => {
        begun.push(name);
        return new Promise<void>((resolve) => {
          ends.set(name, resolve);
        });
      });
    },
    /** Ends a task and waits for the consequences. */
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
  expect(work.places).toMatchObject({ batch: 4, bulk: 2 });
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
    'lets a project rest three times as long as a task of 2 s of the kind %s, within its maximum',
    async (kind, restMs) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const options = { isContended: () => true, maxWaitMs: 60_000 };
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

  it('reserves memory for a project that holds none, and serves this project before projects that hold memory', async () => {
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

  it('gives a project that holds memory more only if all projects together then hold at most two thirds', async () => {
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

  describe('with background work that can run again', () => {
    const background = (scheduler: Scheduler, turn: Partial<Turn>, steps: string[]) =>
      scheduler.run(
        { projectId: 'a', kind: 'video', isBackground: true, canRestart: true, ...turn },
        async (signal) => {
          steps.push('begins');
          await sleep(400, undefined, { signal });
          steps.push('ends');
        },
      );
    const search = (scheduler: Scheduler, turn: Partial<Turn>, steps: string[]) =>
      scheduler.run({ projectId: 'b', kind: 'search', ...turn }, async () => {
        steps.push('search');
      });

    it('does not end the work if a late search (after half of its maximum wait) would still not fit', async () => {
      const scheduler = openScheduler({ search: 3 }, { memoryBytes: 90, maxWaitMs: 200 });
      const steps: string[] = [];
      const whole = background(scheduler, { memoryBytes: 20 }, steps);
      const large = scheduler.run({ projectId: 'b', kind: 'search', memoryBytes: 40 }, () => sleep(300));
      await expect(search(scheduler, { memoryBytes: 30 }, steps)).rejects.toThrow('WORKER_MEMORY_BYTES');
      await Promise.all([whole, large]);
      expect(steps).toEqual(['begins', 'ends']);
    });

    it('starts no background task until the late search has all of its memory', async () => {
      const scheduler = openScheduler({}, { memoryBytes: 90, maxWaitMs: 400 });
      const steps: string[] = [];
      const kinds = ['video', 'describe', 'media', 'text'] as const;
      const other = scheduler.run({ projectId: 'b', kind: 'fetch', memoryBytes: 10 }, () => sleep(500));
      // Three background tasks fill the memory, and the fourth waits. The search needs the memory of all three.
      const whole = kinds.map((kind) =>
        background(scheduler, { kind, projectId: kind, memoryBytes: 25 }, steps),
      );
      await search(scheduler, { memoryBytes: 40 }, steps);
      expect(steps.slice(0, 4)).toEqual(['begins', 'begins', 'begins', 'search']);
      await Promise.all([...whole, other]);
    });

    it('ends the work once for late background tasks with callers, which then come first', async () => {
      const scheduler = openScheduler({}, { maxWaitMs: 200 });
      const steps: string[] = [];
      const marking = (projectId: string) =>
        scheduler.run({ projectId, kind: 'video', isBackground: true, hasCaller: true }, async () => {
          steps.push(`marks ${projectId}`);
        });
      const first = background(scheduler, {}, steps);
      const earlier = background(scheduler, { projectId: 'c' }, steps);
      const marked = marking('b');
      await expect.poll(() => steps).toContain('marks b');
      // The work of project c gives way too. The repeated work does not give way again.
      const markedLater = marking('d');
      await expect.poll(() => steps).toContain('marks d');
      const markedLast = marking('e');
      await Promise.all([first, earlier, marked, markedLater, markedLast]);
      expect(steps).toEqual([
        ...['begins', 'marks b', 'begins', 'marks d'],
        ...['begins', 'ends', 'begins', 'ends', 'marks e'],
      ]);
    });

    it('does not end a background task with a caller for another one', async () => {
      const scheduler = openScheduler({}, { maxWaitMs: 200 });
      const steps: string[] = [];
      const whole = background(scheduler, { hasCaller: true }, steps);
      const other = scheduler.run(
        { projectId: 'b', kind: 'video', isBackground: true, hasCaller: true },
        async () => {
          steps.push('other');
        },
      );
      await Promise.all([whole, other]);
      expect(steps).toEqual(['begins', 'ends', 'other']);
    });

    it('starts other tasks with memory while a large body waits for the memory of bodies', async () => {
      const scheduler = openScheduler({ media: 3, body: 3 }, { memoryBytes: 90, bodyBytes: 90 });
      const { add, begun } = openTasks(scheduler);
      void add('a1', { kind: 'media', memoryBytes: 10 });
      void add('b1', { kind: 'body', memoryBytes: 60 });
      void add('c1', { kind: 'body', memoryBytes: 60 });
      void add('a2', { kind: 'media', memoryBytes: 10 });
      await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
    });

    it('rejects with the reason of a caller who leaves while the task gives way', async () => {
      const scheduler = openScheduler({}, { memoryBytes: 90, maxWaitMs: 200 });
      const leaving = new AbortController();
      const turn = {
        projectId: 'a',
        kind: 'video',
        isBackground: true,
        canRestart: true,
        memoryBytes: 60,
      } as const;
      const whole = scheduler.run({ ...turn, signal: leaving.signal }, async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        leaving.abort(new Error('The caller left.'));
        signal.throwIfAborted();
      });
      await Promise.all([
        search(scheduler, { memoryBytes: 50 }, []),
        expect(whole).rejects.toThrow('The caller left.'),
      ]);
    });

    it.each<[string, Partial<Turn>]>([
      ['memory', { memoryBytes: 50 }],
      ['its slot', { kind: 'video' }],
      ['its slot, in the same project', { kind: 'video', projectId: 'a' }],
    ])('ends the work for a late search that lacks %s, and later runs the work again', async (_, turn) => {
      const scheduler = openScheduler({}, { memoryBytes: 90, maxWaitMs: 200 });
      const steps: string[] = [];
      const whole = background(scheduler, { memoryBytes: 60 }, steps);
      await search(scheduler, turn, steps);
      await whole;
      expect(steps).toEqual(['begins', 'search', 'begins', 'ends']);
      expect([scheduler.memoryBytes(), scheduler.counts().video]).toEqual([
        0,
        { running: 0, waiting: 0, refused: 0 },
      ]);
    });

    it('does not end the work if a search has enough memory beside it, or gets enough in time', async () => {
      const scheduler = openScheduler({}, { memoryBytes: 90, maxWaitMs: 2_000 });
      const steps: string[] = [];
      const whole = background(scheduler, { memoryBytes: 60 }, steps);
      await search(scheduler, { memoryBytes: 20 }, steps);
      await search(scheduler, { memoryBytes: 50 }, steps);
      await whole;
      expect(steps).toEqual(['begins', 'search', 'ends', 'search']);
    });

    it('ends only as many background tasks as needed, the newest first', async () => {
      const scheduler = openScheduler({ video: 3 }, { memoryBytes: 90, maxWaitMs: 200 });
      const [older, newer, steps]: string[][] = [[], [], []];
      const all = [
        background(scheduler, { memoryBytes: 20 }, older ?? []),
        background(scheduler, { memoryBytes: 40 }, newer ?? []),
        search(scheduler, { memoryBytes: 60 }, steps ?? []),
      ];
      await Promise.all(all);
      expect([older, newer, steps]).toEqual([['begins', 'ends'], ['begins', 'begins', 'ends'], ['search']]);
    });

    it('does not run the ended work again if its caller has left', async () => {
      const scheduler = openScheduler({}, { maxWaitMs: 200 });
      const gone = new AbortController();
      const steps: string[] = [];
      const whole = background(scheduler, { signal: gone.signal }, steps);
      const searching = search(scheduler, { kind: 'video' }, steps);
      gone.abort(new Error('left'));
      await expect(whole).rejects.toThrow();
      await searching;
      expect(steps).toEqual(['begins', 'search']);
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
});
