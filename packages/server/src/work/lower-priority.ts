import { constants, setPriority } from 'node:os';

/**
 * Leaves the processors to the threads that answer requests and run statements. On Linux alone, where a thread has a
 * priority of its own.
 */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
