import { parentPort } from 'node:worker_threads';
import { DistributionError } from '@colophon/model';
import { lowerPriority } from '../../platform/threads/lower-priority.js';
import type { ThreadReply, ThreadRequest } from '../../platform/threads/thread-client.js';
import { type ConversionTask, type Converted, convert } from './convert.js';

lowerPriority();
parentPort?.on('message', (task: ThreadRequest<ConversionTask>) => {
  parentPort?.postMessage(answer(task));
});

function answer({ id, to, text }: ThreadRequest<ConversionTask>): ThreadReply<Converted> {
  try {
    return { id, answer: new TextEncoder().encode(convert(to, JSON.parse(Buffer.concat(text).toString()))) };
  } catch (error) {
    if (!(error instanceof DistributionError)) return { id, failure: String(error) };
    return { id, answer: { code: error.code, message: error.message } };
  }
}
