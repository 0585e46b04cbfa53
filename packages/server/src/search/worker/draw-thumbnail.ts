import type { OutputInfo, Sharp } from 'sharp';
import { findPeaksOfSamples, findPeaksOfWav, PEAKS } from '../audio/find-peaks.js';
import { LIMIT_SECONDS, openLibrary, openMedia, toReason } from './open-picture.js';
import type { Drawing, ThumbnailTask } from './protocol.js';

/** In pixels. */
const SIDE = 256;
const MAX_BYTES = 24 * 1024;
/** Qualities of the WebP encoder, tried in this order. */
const QUALITIES = [80, 60, 40, 20, 5];
/** Side of a thumbnail that is too large even with the lowest quality, in pixels. */
const SMALLER_SIDE = 128;

/** In pixels. */
const WAVE_HEIGHT = 96;
/** Contrasts with white and with black by more than 4.5:1. */
const WAVE_GREY = 118;
const BAR_WIDTH = SIDE / PEAKS;
const GAP_WIDTH = 1;

type ThumbnailPixels = { data: Buffer; info: Pick<OutputInfo, 'width' | 'height' | 'channels'> };

/** Draws a picture or the waveform of a sound, as WebP without metadata. */
export async function drawThumbnail(task: ThumbnailTask, maxBytes: number): Promise<Drawing> {
  const { as, bytes } = task;
  if (as === 'wav') return drawWaveform(findPeaksOfWav(bytes));
  if (as === 'samples') return drawWaveform(findPeaksOfSamples(bytes));
  const pixels = await shrink(task, maxBytes);
  if (typeof pixels === 'string') return { kind: 'undrawn', reason: pixels };
  return { kind: 'drawn', bytes: await encode(pixels) };
}

/** Returns the pixels in sRGB, or the reason why there are none. */
async function shrink(task: ThumbnailTask, maxBytes: number): Promise<ThumbnailPixels | string> {
  try {
    const decoder = await openMedia(task, maxBytes);
    if (typeof decoder === 'string') return decoder;
    return await decoder
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: LIMIT_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    return toReason(error);
  }
}

async function encode(pixels: ThumbnailPixels): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const bytes = await toWebp(await open(pixels), quality);
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  const smaller = (await open(pixels)).resize(SMALLER_SIDE, SMALLER_SIDE, { fit: 'inside' });
  return toWebp(smaller, QUALITIES.at(-1) ?? 1);
}

async function open({ data, info: { width, height, channels } }: ThumbnailPixels): Promise<Sharp> {
  return (await openLibrary())(data, { raw: { width, height, channels } });
}

const toWebp = (picture: Sharp, quality: number) =>
  picture.webp({ quality, alphaQuality: quality }).toBuffer();

async function drawWaveform(peaks: Float32Array | undefined): Promise<Drawing> {
  if (peaks === undefined)
    return {
      kind: 'undrawn',
      reason: 'The sound cannot be decoded: it is damaged or in a format that the service does not read.',
    };
  const data = Buffer.alloc(SIDE * WAVE_HEIGHT * 4);
  for (const [part, peak] of peaks.entries()) {
    const height = Math.max(2, Math.round(Math.min(1, peak) * WAVE_HEIGHT));
    const top = Math.floor((WAVE_HEIGHT - height) / 2);
    for (let y = top; y < top + height; y++)
      for (let x = part * BAR_WIDTH; x < (part + 1) * BAR_WIDTH - GAP_WIDTH; x++)
        data.set([WAVE_GREY, WAVE_GREY, WAVE_GREY, 255], (y * SIDE + x) * 4);
  }
  const info = { width: SIDE, height: WAVE_HEIGHT, channels: 4 } as const;
  return { kind: 'drawn', bytes: await (await open({ data, info })).webp({ lossless: true }).toBuffer() };
}
