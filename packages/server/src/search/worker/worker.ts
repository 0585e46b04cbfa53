import { parentPort, workerData } from 'node:worker_threads';
import { AWAITED_NICENESS, lowerPriority } from '../../platform/threads/lower-priority.js';
import { checkCandidates } from '../check-candidates.js';
import { isSmallText } from '../search-lanes.js';
import { describeParts } from './describe-parts.js';
import { drawThumbnail } from './draw-thumbnail.js';
import { chooseImageMarks } from './image-marks.js';
import { makePreview } from './make-preview.js';
import { drawMark, readFrameMark } from './mark-frames.js';
import { markImage } from './mark-image.js';
import { markSound, readSampleMark, readSoundMark } from './mark-sound.js';
import type {
  FromSearchWorker,
  MarkReading,
  ReadMarkTask,
  SearchAnswer,
  SearchTask,
  SearchWorkerData,
  TriedModel,
} from './protocol.js';
import { readImageMark } from './read-image-mark.js';
import { tryNeuralMark } from './try-neural-mark.js';

const port = parentPort;
if (port === null) throw new Error('This file must run as a worker thread');

const settings = workerData as SearchWorkerData;
const { maxPictureBytes: maxBytes, watermarkModel } = settings;
const { marker, readers } = chooseImageMarks(watermarkModel);

function post(message: FromSearchWorker): void {
  port?.postMessage(message);
}

async function perform(task: SearchTask): Promise<SearchAnswer> {
  // The thread of the small texts keeps its priority, because recordings wait for it.
  if (!isSmallText(task)) lowerPriority(AWAITED_NICENESS);
  if (task.kind === 'check') return { kind: 'checked', checked: checkCandidates(task) };
  if (task.kind === 'mark')
    return task.as === 'sound' ? markSound(task) : markImage(task, { maxBytes, marker });
  if (task.kind === 'drawMark') return drawMark(task);
  if (task.kind === 'readMark') return readMark(task);
  if (task.kind === 'thumbnail') return drawThumbnail(task, maxBytes);
  if (task.kind === 'preview') return makePreview(task, maxBytes);
  if (task.kind === 'tryModel') return tryModel();
  return describeParts(task, settings);
}

function readMark({ as, bytes }: ReadMarkTask): MarkReading | Promise<MarkReading> {
  if (as === 'sound') return readSoundMark(bytes);
  if (as === 'frames') return readFrameMark(bytes);
  if (as === 'samples') return readSampleMark(bytes);
  return readImageMark({ as, bytes }, { maxBytes, readers });
}

async function tryModel(): Promise<TriedModel> {
  try {
    await tryNeuralMark(marker);
    return { kind: 'tried', problem: undefined };
  } catch (error) {
    return { kind: 'tried', problem: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (task: SearchTask) => {
  perform(task).then(
    (answer) => post({ kind: 'done', answer }),
    (error: unknown) => post({ kind: 'failed', message: String(error) }),
  );
});
post({ kind: 'ready' });
