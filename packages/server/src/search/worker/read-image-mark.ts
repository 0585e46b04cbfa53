import type { StoredSoftBinding } from '@colophon/model';
import type { MarkRaster } from '@colophon/model/watermark';
import type { ImageMarkAlgorithm } from './image-mark-algorithm.js';
import { LIMIT_SECONDS, openMedia, toReason } from './open-picture.js';
import type { MarkReading } from './protocol.js';

/** Larger pictures are scaled to this side, which bounds the memory. */
const LONGEST_SIDE = 2048;

interface PictureToRead {
  as: 'image' | 'heif';
  bytes: Uint8Array;
}

interface ReadingMeans {
  maxBytes: number;
  readers: readonly ImageMarkAlgorithm[];
}

/** Reads the watermarks of a picture, upright by its EXIF data and on white. Of an animation, reads one frame. */
export async function readImageMark(
  picture: PictureToRead,
  { maxBytes, readers }: ReadingMeans,
): Promise<MarkReading> {
  const raster = await decodeForMark(picture, maxBytes);
  if (typeof raster === 'string') return { kind: 'unread', reason: raster };
  const bindings: StoredSoftBinding[] = [];
  for (const { detect } of readers) {
    const binding = await detect(raster);
    if (binding !== undefined) bindings.push(binding);
  }
  return { kind: 'read', bindings };
}

/** Returns the pixels, or the reason why there are none. */
async function decodeForMark(picture: PictureToRead, maxBytes: number): Promise<MarkRaster | string> {
  try {
    const decoder = await openMedia(picture, maxBytes);
    if (typeof decoder === 'string') return decoder;
    const { data, info } = await decoder
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 3, data };
  } catch (error) {
    return toReason(error);
  }
}
