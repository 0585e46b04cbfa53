import { createDataHasher, createInstanceHasher, type IsccUnit } from '@colophon/model';
import type { Kind } from '../descriptor.js';
import { openAudio } from './describe-audio.js';
import { openHeif, openImage } from './describe-image.js';
import { openPdf } from './describe-pdf.js';
import { openSvg } from './describe-svg.js';
import { openText } from './describe-text.js';
import { openVideo } from './describe-video.js';
import type { OpenedContent } from './opened-content.js';
import type { CodedContent, DescribeTask, Description, SearchWorkerData } from './protocol.js';

type Opener = (task: DescribeTask, settings: SearchWorkerData) => OpenedContent | Promise<OpenedContent>;

const OPENERS: Record<Kind, Opener> = {
  image: ({ bytes }, { maxPictureBytes }) => openImage(bytes, maxPictureBytes),
  heif: ({ bytes }, { maxPictureBytes }) => openHeif(bytes, maxPictureBytes),
  svg: (task) => openSvg(task),
  text: (task) => openText(task),
  pdf: (task, { pdftotext }) => openPdf(pdftotext, task),
  audio: (task, { fpcalc }) => openAudio(fpcalc, task),
  video: (task, { fpcalc }) => openVideo(fpcalc, task),
};

export async function describeParts(
  task: DescribeTask,
  settings: SearchWorkerData,
): Promise<Description | CodedContent> {
  if (task.iscc === 'bytes') return { kind: 'coded', units: codeBytes(task.bytes) };
  const opened = await OPENERS[task.as](task, settings);
  if (task.iscc === undefined) return opened.describe();
  return {
    kind: 'coded',
    ...(task.iscc === 'also' && { description: opened.describe() }),
    ...(opened.isPassing === undefined && { units: await codeContent(opened, task.bytes) }),
  };
}

async function codeContent({ readUnit }: OpenedContent, bytes: Uint8Array): Promise<IsccUnit[]> {
  const unit = await readUnit();
  return [...(unit === undefined ? [] : [unit]), ...codeBytes(bytes)];
}

function codeBytes(bytes: Uint8Array): IsccUnit[] {
  const [data, instance] = [createDataHasher(), createInstanceHasher()];
  data.update(bytes);
  instance.update(bytes);
  return [data.finish(), instance.finish()];
}
