import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread below that of the threads that answer requests and run SQL statements. Works only
 * on Linux: on other systems, a priority belongs to the whole process.
 */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // The process may already have a lower priority. Raising it is not permitted.
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL)
    setPriority(PRIORITY_BELOW_NORMAL);
}
