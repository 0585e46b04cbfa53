import { constants, getPriority, setPriority } from 'node:os';

/**
 * Leaves the processors to the threads that answer requests and run statements. Does nothing outside Linux, where
 * priority belongs to the process.
 */
export function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  // Raising it is not allowed: the process may run with less already.
  if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL)
    setPriority(PRIORITY_BELOW_NORMAL);
}
