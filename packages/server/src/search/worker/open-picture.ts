import type { Sharp } from 'sharp';
import { memoryToDecode, toShape } from '../../platform/work/picture-memory.js';
import { decodeHeif, type RawPicture } from './decode-heif.js';

export const MAX_PIXELS = 100_000_000;
export const TOO_MANY_PIXELS = 'The picture declares more than 100 million pixels.';
const LIMITS = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
export const LIMIT_SECONDS = 5;
export const USUAL_BYTES = 256 * 2 ** 20;
const BOUND = 'MAX_PICTURE_BYTES';

export async function openLibrary() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/**
 * Opens a picture, or the first frame of an animation, upright by its EXIF data. Returns the reason when decoding takes
 * more than `maxBytes` of memory.
 */
export async function openPicture(
  picture: Uint8Array | RawPicture,
  maxBytes: number,
): Promise<Sharp | string> {
  const sharp = await openLibrary();
  if ('rgba' in picture) return sharp(picture.rgba, { ...LIMITS, raw: { ...picture.size, channels: 4 } });
  const heavy = await findTooHeavy(sharp(picture, LIMITS), maxBytes);
  return heavy ?? sharp(picture, { ...LIMITS, pages: 1 }).autoOrient();
}

/** Opens a picture or a HEIF file, or returns the reason why it cannot be decoded within `maxBytes`. */
export async function openMedia(
  { as, bytes }: { as: string; bytes: Uint8Array },
  maxBytes: number,
): Promise<Sharp | string> {
  const picture = as === 'heif' ? await decodeHeif(bytes, maxBytes) : bytes;
  return typeof picture === 'string' ? picture : openPicture(picture, maxBytes);
}

async function findTooHeavy(picture: Sharp, maxBytes: number): Promise<string | undefined> {
  const shape = toShape(await picture.metadata());
  const bytes = memoryToDecode(shape);
  return shape.width * shape.height > MAX_PIXELS || bytes <= maxBytes
    ? undefined
    : toHeavyReason(bytes, maxBytes);
}

export function toHeavyReason(bytes: number, maxBytes: number): string {
  return `Decoding the picture takes ${bytes} bytes of memory; ${BOUND} allows ${maxBytes}.`;
}

/** Whether a higher limit of memory may change the result. */
export const isForMemory = (reason: string) => reason.includes(BOUND);

export function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('pixel limit')) return TOO_MANY_PIXELS;
  if (message.includes('timeout')) return `The picture was not decoded within ${LIMIT_SECONDS} s.`;
  return 'The picture cannot be decoded: it is damaged, cut short or in a format that the service does not read.';
}
