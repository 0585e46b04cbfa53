import { parentPort, workerData } from 'node:worker_threads';
import { checkCandidates } from '../check-candidates.js';
import { describeParts } from './describe-parts.js';
import { markImage } from './mark-image.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './protocol.js';
import { readImageMark } from './read-image-mark.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');

const settings = workerData as SearchWorkerData;

function post(message: FromSearchWorker): void {
  port?.postMessage(message);
}

async function perform(task: SearchTask): Promise<SearchAnswer> {
  if (task.kind === 'check') return { kind: 'checked', checked: checkCandidates(task) };
  if (task.kind === 'mark') return markImage(task, settings.maxPictureBytes);
  if (task.kind === 'readMark') return readImageMark(task, settings.maxPictureBytes);
  return describeParts(task, settings);
}

port.on('message', (task: SearchTask) => {
  perform(task).then(
    (answer) => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: String(error) }),
  );
});
post({ kind: 'ready' });
