import { availableParallelism } from 'node:os';
import { memoryForLargest } from '../media/memory-need.js';
import type { Variables } from './variables.js';

/** What the threads beside the main one may take. */
export interface WorkConfig {
  hashThreads: number;
  /** Of those that parse and describe: tasks, and bytes, at a time. */
  tasks: number;
  memoryBytes: number;
}

/** A quarter of the threads hashes what is received, the rest parses and describes. */
export function toWork(read: Variables): WorkConfig {
  const threads = read.WORKER_THREADS ?? availableParallelism() + 1;
  const hashThreads = Math.max(1, Math.floor(threads / 4));
  const memoryBytes = read.WORKER_MEMORY_BYTES ?? memoryForLargest(read.MAX_MEDIA_BYTES);
  return { hashThreads, tasks: threads - hashThreads, memoryBytes };
}
