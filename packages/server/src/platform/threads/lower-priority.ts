import { constants, getPriority, setPriority } from 'node:os';

/**
 * The niceness of threads for whose results somebody usually waits. They get about a third of the time of a usual
 * thread (sched(7)).
 */
export const AWAITED_NICENESS = 5;

/** `niceness`: 1 to 19 (lowest priority). Only on Linux: elsewhere, a priority belongs to the whole process. */
export function lowerPriority(niceness: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  // The process may already have a lower priority. Raising it is not permitted.
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness);
}
