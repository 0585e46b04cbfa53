import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Scheduler, Turn } from '../src/platform/work/scheduler.js';
import { openScheduler } from './support/scheduler.js';

describe('a scheduler with background work that can run again', () => {
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

  it('aborts no task for a late search that could still not start', async () => {
    const scheduler = openScheduler({ search: 3 }, { memoryBytes: 90, maxWaitMs: 200 });
    const steps: string[] = [];
    const whole = background(scheduler, { memoryBytes: 20 }, steps);
    const large = scheduler.run({ projectId: 'b', kind: 'search', memoryBytes: 40 }, () => sleep(300));
    await expect(search(scheduler, { memoryBytes: 30 }, steps)).rejects.toThrow('WORKER_MEMORY_BYTES');
    await Promise.all([whole, large]);
    expect(steps).toEqual(['begins', 'ends']);
  });

  it('starts no background task while a late search waits for its memory', async () => {
    const scheduler = openScheduler({}, { memoryBytes: 90, maxWaitMs: 400 });
    const steps: string[] = [];
    const kinds = ['video', 'describe', 'media', 'text'] as const;
    const other = scheduler.run({ projectId: 'b', kind: 'fetch', memoryBytes: 10 }, () => sleep(500));
    // Three background tasks fill the memory. The search needs the memory of all three.
    const whole = kinds.map((kind) =>
      background(scheduler, { kind, projectId: kind, memoryBytes: 25 }, steps),
    );
    await search(scheduler, { memoryBytes: 40 }, steps);
    expect(steps.slice(0, 4)).toEqual(['begins', 'begins', 'begins', 'search']);
    await Promise.all([...whole, other]);
  });

  it('aborts each background task at most once to start late background tasks with a caller', async () => {
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
    // Repeated work does not give way again.
    const markedLater = marking('d');
    await expect.poll(() => steps).toContain('marks d');
    const markedLast = marking('e');
    await Promise.all([first, earlier, marked, markedLater, markedLast]);
    expect(steps).toContain('marks e');
    expect(steps.filter((step) => step !== 'marks e')).toEqual([
      ...['begins', 'marks b', 'begins', 'marks d'],
      ...['begins', 'ends', 'begins', 'ends'],
    ]);
  });

  it('does not end a background task with a caller for another task with a caller', async () => {
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

  it('rejects with the abort reason of the caller if the caller leaves while the task gives way', async () => {
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
    ['the memory of the work', { memoryBytes: 50 }],
    ['the slot of the work', { kind: 'video' }],
    ['the slot of the work, in the same project', { kind: 'video', projectId: 'a' }],
  ])('ends the work for a late search that needs %s, and later runs the work again', async (_, turn) => {
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
