import { parentPort } from 'node:worker_threads';
import type { Kind } from '../descriptor.js';
import { checkCandidates } from './check-candidates.js';
import { describeHeif, describeImage } from './describe-image.js';
import { describeText } from './describe-text.js';
import type { Description, FromSearchWorker, SearchAnswer, SearchTask } from './protocol.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');

function post(message: FromSearchWorker): void {
  port?.postMessage(message);
}

const DESCRIBERS: Record<Kind, (bytes: Uint8Array) => Description | Promise<Description>> = {
  image: describeImage,
  heif: describeHeif,
  text: describeText,
};

async function perform(task: SearchTask): Promise<SearchAnswer> {
  if (task.kind === 'check') return { kind: 'checked', checked: checkCandidates(task) };
  return DESCRIBERS[task.as](task.bytes);
}

port.on('message', (task: SearchTask) => {
  perform(task).then(
    (answer) => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: String(error) }),
  );
});
post({ kind: 'ready' });
