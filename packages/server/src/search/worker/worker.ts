import { parentPort } from 'node:worker_threads';
import { checkCandidates } from './check-candidates.js';
import { describeImage } from './describe-image.js';
import { describeText } from './describe-text.js';
import type { FromSearchWorker, SearchAnswer, SearchTask } from './protocol.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');

function post(message: FromSearchWorker): void {
  port?.postMessage(message);
}

async function perform(task: SearchTask): Promise<SearchAnswer> {
  if (task.kind === 'check') return { kind: 'checked', checked: checkCandidates(task) };
  return task.as === 'image' ? describeImage(task.bytes) : describeText(task.bytes);
}

port.on('message', (task: SearchTask) => {
  perform(task).then(
    (answer) => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: String(error) }),
  );
});
post({ kind: 'ready' });
