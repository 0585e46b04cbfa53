import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../platform/threads/lower-priority.js';
import type { ThreadReply, ThreadRequest } from '../../platform/threads/thread-client.js';
import { deriveHash, type ScryptTask } from './derive-hash.js';

/**
 * On a busy processor, a hash gets about a third of the time of a usual thread. With the default niceness of 10, it
 * would get a tenth, and sign-ins would wait too long. Linux changes the share by a factor of 1.25 per step (sched(7)).
 */
const NICENESS = 5;

lowerPriority(NICENESS);
parentPort?.on('message', (task: ThreadRequest<ScryptTask>) => {
  parentPort?.postMessage(answer(task));
});

function answer({ id, ...task }: ThreadRequest<ScryptTask>): ThreadReply<Uint8Array> {
  try {
    return { id, answer: deriveHash(task) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}
