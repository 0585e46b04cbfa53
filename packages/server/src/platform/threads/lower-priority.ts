import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread below that of the threads that answer requests and run SQL statements. Does
 * nothing outside Linux: there, priority is a property of the process.
 */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // The process may run with a lower priority already, and raising it is not allowed.
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL)
    setPriority(PRIORITY_BELOW_NORMAL);
}
