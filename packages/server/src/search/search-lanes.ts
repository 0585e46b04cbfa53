import type { Lane, ThreadJob, ThreadPool } from '../platform/threads/thread-pool.js';
import type { SearchTask } from './worker/protocol.js';

export const SMALL_TEXT_BYTES = 64 * 1024;

export interface SearchLanes<Job extends ThreadJob> {
  /** Returns an idle thread for the task, or starts one. All small texts get the same thread. */
  find(task: SearchTask): Lane<Job>;
  /** Whether this idle thread can end: it has the model, and another such thread is idle too. */
  isSurplus(lane: Lane<Job>): boolean;
}

/** One thread serves the small texts. Separate threads serve tasks with the model, so that few threads load it. */
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
 * A task with an ISCC takes too long for the shared thread: a recording waits only `MATCH_WAIT_MS` for similar content.
 */
export function isSmallText(task: SearchTask): boolean {
  return (
    task.kind === 'describe' &&
    task.as === 'text' &&
    task.iscc === undefined &&
    task.bytes.length <= SMALL_TEXT_BYTES
  );
}

export function usesModel(task: SearchTask): boolean {
  if (task.kind === 'mark') return task.as === 'image';
  if (task.kind === 'readMark') return task.as === 'image' || task.as === 'heif';
  return task.kind === 'tryModel';
}
