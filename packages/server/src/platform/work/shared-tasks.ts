import { whenAborted } from '../sleep-until.js';

/** Starts a task, or joins the running task with this key. Rejects with the signal's reason on abort. */
export type JoinTask<Result> = (
  key: string,
  signal: AbortSignal | undefined,
  run: (left: AbortSignal) => Promise<Result>,
) => Promise<Result>;

/** `left` aborts when all callers of the task have aborted. */
export function createSharedTasks<Result = void>(): JoinTask<Result> {
  const running = new Map<string, { result: Promise<Result>; callers: number; left: AbortController }>();
  const start = (key: string, run: (left: AbortSignal) => Promise<Result>) => {
    const left = new AbortController();
    const result = run(left.signal).finally(() => {
      if (running.get(key)?.left === left) running.delete(key);
    });
    const task = { result, callers: 0, left };
    running.set(key, task);
    return task;
  };
  return async (key, signal, run) => {
    signal?.throwIfAborted();
    const task = running.get(key) ?? start(key, run);
    task.callers++;
    const leave = () => {
      task.callers--;
      if (task.callers > 0) return;
      if (running.get(key) === task) running.delete(key);
      task.left.abort(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await (signal === undefined ? task.result : Promise.race([task.result, whenAborted(signal)]));
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  };
}
