import { parentPort } from 'node:worker_threads';
import { AWAITED_NICENESS, lowerPriority } from '../../platform/threads/lower-priority.js';
import type { ThreadReply, ThreadRequest } from '../../platform/threads/thread-client.js';
import { deriveHash, type ScryptTask } from './derive-hash.js';

lowerPriority(AWAITED_NICENESS);
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
