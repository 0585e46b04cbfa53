import { constants, getPriority, setPriority } from 'node:os';

/**
 * The niceness of threads whose results somebody usually waits for. On a busy processor, such a thread gets about a
 * third of the time of a usual thread, and with the default niceness of 10 a tenth. Linux changes the share by a factor
 * of 1.25 per step (sched(7)). The programs that the thread starts inherit the niceness.
 */
export const AWAITED_NICENESS = 5;

/**
 * Lowers the priority of this thread below that of the threads that answer requests and run SQL statements. `niceness`:
 * from 1 to 19; a thread with a higher value gets less processor time. Works only on Linux: on other systems, a
 * priority belongs to the whole process.
 */
export function lowerPriority(niceness: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  // The process may already have a lower priority. Raising it is not permitted.
  if (process.platform === 'linux' && getPriority() < niceness) setPriority(niceness);
}
