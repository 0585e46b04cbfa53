import { holdPictureLibrary } from '../../platform/threads/hold-picture-library.js';
import { copiesToMark } from '../../search/image-mark.js';
import { readPictureShape } from '../../search/picture-shape.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { readFilePart } from './search-file.js';
import {
  type MarkedCopyDeps,
  type MediaToMark,
  toFileToMark,
  type Watermarking,
  writeMarkedCopy,
} from './write-marked-copy.js';

/** The format must be `MARKABLE`. Rejects with `Timeout` or `Unavailable`, and the caller can repeat the request. */
export async function markPicture(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  if (!(await holdPictureLibrary())) return { reason: 'Pictures cannot be decoded on this platform.' };
  const memoryBytes = await memoryToMark(deps.matching, media);
  const method = { as: 'image', format: deps.matching.pictureMark } as const;
  return writeMarkedCopy(deps, projectId, { file: toFileToMark(media), signal, memoryBytes, method });
}

/** Memory in addition to the pixels, in bytes: waves, spectra and the tables of the encoder. */
const MARKING_BYTES = 64 * 2 ** 20;

/** Returns the memory in bytes. A picture of unknown dimensions counts as `maxPictureBytes`. */
async function memoryToMark(
  { maxPictureBytes, modelBytes }: Pick<MarkedCopyDeps['matching'], 'maxPictureBytes' | 'modelBytes'>,
  { path, mediaType, digests: { sizeBytes } }: StagedMedia,
): Promise<number> {
  const shape = await readPictureShape((start, end) => readFilePart(path, start, end));
  const { width, height, channels } = shape ?? { width: Number.POSITIVE_INFINITY, height: 1, channels: 4 };
  // The decoder returns at least three channels, also for a picture with grey values or a palette.
  const pixelBytes = width * height * Math.max(3, channels) * copiesToMark(mediaType);
  return MARKING_BYTES + modelBytes + 2 * sizeBytes + Math.min(pixelBytes, maxPictureBytes);
}
