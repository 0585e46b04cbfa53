import {
  createScheduler,
  type Scheduler,
  type SchedulerOptions,
  type WorkKind,
} from '../../src/platform/work/scheduler.js';

/** Unlimited memory, and one slot for each kind that `places` does not contain. */
export function openScheduler(
  places: Partial<Record<WorkKind, number>> = {},
  options: Partial<Omit<SchedulerOptions, 'places'>> = {},
): Scheduler {
  return createScheduler({
    places: {
      history: 1,
      media: 1,
      search: 1,
      describe: 1,
      video: 1,
      text: 1,
      batch: 1,
      bulk: 1,
      parse: 1,
      fetch: 1,
      body: 1,
      ...places,
    },
    memoryBytes: Number.POSITIVE_INFINITY,
    bodyBytes: Number.POSITIVE_INFINITY,
    // The longest delay of a timer, because a test can leave a task in the queue.
    maxWaitMs: 2 ** 31 - 1,
    maxWaiting: 64,
    ...options,
  });
}
