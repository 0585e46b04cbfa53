import type { MarkRaster } from '@colophon/model/watermark';
import type { Metadata, Sharp } from 'sharp';
import { copiesToMark, SMALLEST_MARKED_SIDE } from '../image-mark.js';
import { includesBinding } from '../mark-format.js';
import { ANIMATION, findFurtherContent, PAGES } from './further-content.js';
import type { ImageMarkAlgorithm } from './image-mark-algorithm.js';
import { MAX_PIXELS, openLibrary, TOO_MANY_PIXELS, toHeavyReason, toReason } from './open-picture.js';
import type { Marking, MarkTask } from './protocol.js';
import { readImageMark } from './read-image-mark.js';

/** Higher values mostly add bytes. */
const QUALITY = 95;
/** With more effort, the encoder is too slow for large pictures. */
const AVIF = { quality: QUALITY, effort: 0 };
const MM_PER_INCH = 25.4;

/**
 * Adds a watermark, and encodes the picture in its own format with its metadata, upright. Reads the mark back: a
 * picture that cannot carry a mark stays unmarked.
 */
export async function markImage(task: PictureToMark, means: MarkingMeans): Promise<Marking> {
  const { maxBytes, marker } = means;
  const marked = await decodeWithMark(task, means);
  if (typeof marked === 'string') return { kind: 'unmarked', reason: marked };
  const bytes = await encode(task.bytes, marked);
  const reading = await readImageMark({ as: 'image', bytes }, { maxBytes, readers: [marker] });
  // A slow machine can be the cause, so the request fails and can be repeated.
  if (reading.kind === 'unread') throw new Error(`The marked copy was not read: ${reading.reason}`);
  const added = marker.toBinding(task.payload);
  if (includesBinding(reading.bindings, added)) return { kind: 'marked', bytes };
  return { kind: 'unmarked', reason: 'The picture has too little detail to carry a watermark.' };
}

type PictureToMark = Pick<MarkTask, 'bytes' | 'payload'>;

interface MarkingMeans {
  maxBytes: number;
  marker: ImageMarkAlgorithm;
}

interface MarkablePicture {
  raster: MarkRaster;
  metadata: Metadata;
}

/** Converts no colours, so that the pixels still match the colour profile. */
async function open(bytes: Uint8Array): Promise<Sharp> {
  const sharp = await openLibrary();
  return sharp(bytes, { failOn: 'error', ignoreIcc: true }).autoOrient();
}

/** Returns only the marked pixels, so that the unmarked ones are freed before the encoding. */
async function decodeWithMark(
  { bytes, payload }: PictureToMark,
  { maxBytes, marker }: MarkingMeans,
): Promise<MarkablePicture | string> {
  const decoded = await decode(bytes, maxBytes);
  if (typeof decoded === 'string') return decoded;
  const { raster, metadata } = decoded;
  return { raster: { ...raster, data: await marker.embed(raster, payload) }, metadata };
}

async function decode(bytes: Uint8Array, maxBytes: number): Promise<MarkablePicture | string> {
  try {
    const sharp = await openLibrary();
    const metadata = await sharp(bytes, { failOn: 'error' }).metadata();
    const lack = findFurtherContent(bytes, metadata.format) ?? whyNotMarked(metadata, maxBytes);
    if (lack !== undefined) return lack;
    const decoder = (await open(bytes)).toColourspace('srgb');
    const { data, info } = await decoder.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    const channels = info.channels === 4 ? 4 : 3;
    return { raster: { width: info.width, height: info.height, channels, data }, metadata };
  } catch (error) {
    return toReason(error);
  }
}

function whyNotMarked(metadata: Metadata, maxBytes: number): string | undefined {
  const { format, width, height, space = '', depth, pages = 1 } = metadata;
  if (pages > 1) return format === 'tiff' ? PAGES : ANIMATION;
  if (depth !== 'uchar' || !['srgb', 'b-w'].includes(space))
    return `The service adds a watermark only to pictures of 8 bits in RGB or grey, not to ${space} (${depth}).`;
  if (Math.min(width, height) < SMALLEST_MARKED_SIDE)
    return `The picture of ${width} x ${height} pixels is too small for a watermark, which needs ${SMALLEST_MARKED_SIDE} pixels on each side.`;
  if (width * height > MAX_PIXELS) return TOO_MANY_PIXELS;
  const copies = copiesToMark(`image/${format}`);
  const bytes = width * height * (metadata.hasAlpha ? 4 : 3) * copies;
  return bytes > maxBytes ? toHeavyReason(bytes, maxBytes) : undefined;
}

/** The encoder copies the metadata, but no manifest. */
async function encode(bytes: Uint8Array, { raster, metadata }: MarkablePicture): Promise<Buffer> {
  const { data, ...raw } = raster;
  const input = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const pixels = { input, raw, blend: 'source' as const };
  const copy = (await open(bytes)).composite([pixels]).keepMetadata();
  const opaque = metadata.hasAlpha ? copy : copy.removeAlpha();
  const coloured = metadata.space === 'b-w' ? opaque.toColourspace('b-w') : opaque;
  return toFormat(coloured, bytes, metadata).toBuffer();
}

function toFormat(picture: Sharp, bytes: Uint8Array, { format, ...metadata }: Metadata): Sharp {
  if (format === 'png') return picture.png();
  if (format === 'webp') return picture.webp(isLossless(bytes) ? { lossless: true } : { quality: QUALITY });
  if (format === 'heif') return picture.avif(AVIF);
  if (format === 'tiff') return picture.tiff({ compression: 'deflate', ...resolutionOf(metadata) });
  const { chromaSubsampling = '4:2:0', isProgressive: progressive = false } = metadata;
  return picture.jpeg({ quality: QUALITY, chromaSubsampling, progressive });
}

/** The encoder does not copy the resolution of a TIFF file. */
function resolutionOf({ density }: Pick<Metadata, 'density'>): { xres?: number; yres?: number } {
  return density === undefined ? {} : { xres: density / MM_PER_INCH, yres: density / MM_PER_INCH };
}

/** Whether the first frame of a WebP file is lossless (RFC 9649 §2.3 and §2.6: chunks of even length). */
function isLossless(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    if (name === 'VP8L' || name === 'VP8 ') return name === 'VP8L';
    const sizeBytes = file.readUInt32LE(at + 4);
    at += 8 + sizeBytes + (sizeBytes % 2);
  }
  return false;
}
