import type { Lane, ThreadJob, ThreadPool } from '../platform/threads/thread-pool.js';
import type { SearchTask } from './worker/protocol.js';

/** Texts up to this size take a few milliseconds, and share one thread. */
export const SMALL_TEXT_BYTES = 64 * 1024;

/** Chooses the threads of the tasks. */
export interface SearchLanes<Job extends ThreadJob> {
  /** Returns an idle thread for the task, or starts one. Returns the same thread for all small texts. */
  find(task: SearchTask): Lane<Job>;
  /** Whether this idle thread can end: it serves tasks with the model, and another such thread is idle too. */
  isSurplus(lane: Lane<Job>): boolean;
}

/**
 * One thread serves the small texts, and separate threads serve tasks with the model for watermarks. Other tasks never
 * use these threads, so only few threads load the model. `hasModel`: whether there is a model.
 */
export function createSearchLanes<Job extends ThreadJob>(
  { lanes }: Pick<ThreadPool<Job>, 'lanes'>,
  start: () => Lane<Job>,
  hasModel: boolean,
): SearchLanes<Job> {
  let shared: Lane<Job> | undefined;
  const withModel = new WeakSet<Lane<Job>>();
  const idle = () => [...lanes].filter((lane) => lane !== shared && lane.jobs.size === 0);

  function findModelLane(): Lane<Job> {
    const lane = idle().find((one) => withModel.has(one)) ?? start();
    withModel.add(lane);
    return lane;
  }

  return {
    find(task) {
      if (hasModel && usesModel(task)) return findModelLane();
      if (!isSmallText(task)) return idle().find((lane) => !withModel.has(lane)) ?? start();
      if (shared === undefined || !lanes.has(shared)) shared = start();
      return shared;
    },
    isSurplus: (lane) => withModel.has(lane) && idle().some((one) => one !== lane && withModel.has(one)),
  };
}

/**
 * Whether the task uses the thread of the small texts. A task with an ISCC uses another thread. Such a task can take
 * longer than `MATCH_WAIT_MS`, the maximum wait of a recording for similar content. On the thread of the small texts,
 * it would delay the next texts too much.
 */
export function isSmallText(task: SearchTask): boolean {
  return (
    task.kind === 'describe' &&
    task.as === 'text' &&
    task.iscc === undefined &&
    task.bytes.length <= SMALL_TEXT_BYTES
  );
}

/** Whether the task runs the model for watermarks, if there is one. */
export function usesModel(task: SearchTask): boolean {
  if (task.kind === 'mark') return task.as === 'image';
  if (task.kind === 'readMark') return task.as === 'image' || task.as === 'heif';
  return task.kind === 'tryModel';
}
