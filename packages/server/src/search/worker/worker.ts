import { parentPort, workerData } from 'node:worker_threads';
import { checkCandidates } from '../check-candidates.js';
import type { Kind } from '../descriptor.js';
import { describeAudio } from './describe-audio.js';
import { describeHeif, describeImage } from './describe-image.js';
import { describeText } from './describe-text.js';
import { describeVideo } from './describe-video.js';
import { markImage } from './mark-image.js';
import type {
  DescribeTask,
  Description,
  FromSearchWorker,
  SearchAnswer,
  SearchTask,
  SearchWorkerData,
} from './protocol.js';
import { readImageMark } from './read-image-mark.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');

const settings = workerData as SearchWorkerData;

function post(message: FromSearchWorker): void {
  port?.postMessage(message);
}

const DESCRIBERS: Record<Kind, (task: DescribeTask) => Description | Promise<Description>> = {
  image: ({ bytes }) => describeImage(bytes, settings.maxPictureBytes),
  heif: ({ bytes }) => describeHeif(bytes, settings.maxPictureBytes),
  text: ({ bytes }) => describeText(bytes),
  audio: (task) => describeAudio(settings.fpcalc, task),
  video: (task) => describeVideo(settings.fpcalc, task),
};

async function perform(task: SearchTask): Promise<SearchAnswer> {
  if (task.kind === 'check') return { kind: 'checked', checked: checkCandidates(task) };
  if (task.kind === 'mark') return markImage(task, settings.maxPictureBytes);
  if (task.kind === 'readMark') return readImageMark(task, settings.maxPictureBytes);
  return DESCRIBERS[task.as](task);
}

port.on('message', (task: SearchTask) => {
  perform(task).then(
    (answer) => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: String(error) }),
  );
});
post({ kind: 'ready' });
