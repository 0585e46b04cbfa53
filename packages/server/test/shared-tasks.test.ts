import { expect, it } from 'vitest';
import { createSharedTasks } from '../src/platform/work/shared-tasks.js';

/** The task never ends by itself. `attempts`: the signals of the started tasks. */
function openReaders() {
  const join = createSharedTasks<string>();
  const attempts: AbortSignal[] = [];
  const read = () => {
    const reader = new AbortController();
    const result = join('key', reader.signal, (left) => {
      attempts.push(left);
      return new Promise<string>(() => {});
    }).catch(() => 'left');
    return { leave: () => reader.abort(), result };
  };
  return { attempts, read };
}

it('concurrent callers share one task, which aborts when the last of them leaves', async () => {
  const { attempts, read } = openReaders();
  const [first, second] = [read(), read()];
  first.leave();
  expect(await first.result).toBe('left');
  expect(attempts.map(({ aborted }) => aborted)).toEqual([false]);
  const third = read();
  second.leave();
  expect(attempts.map(({ aborted }) => aborted)).toEqual([false]);
  third.leave();
  expect(attempts.map(({ aborted }) => aborted)).toEqual([true]);
});

it('a caller after an aborted task starts another task', () => {
  const { attempts, read } = openReaders();
  read().leave();
  read();
  expect(attempts.map(({ aborted }) => aborted)).toEqual([true, false]);
});
