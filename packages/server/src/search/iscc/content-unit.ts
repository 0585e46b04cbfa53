import { Readable } from 'node:stream';
import {
  audioUnit,
  IsccError,
  type IsccUnit,
  imageUnit,
  parseVideoSignature,
  textUnit,
  videoUnit,
} from '@colophon/model';
import { readPrintIfPossible, soundFormatOf } from '../audio/read-print.js';
import { demuxerOf } from '../video/frames.js';
import { readSignature } from '../video/read-signature.js';
import { readGreyPixels } from './grey-pixels.js';

export const MAX_CONTENT_BYTES = 64 * 2 ** 20;
/** Largest text whose Text-Code the command line computes, in bytes. */
const MAX_TEXT_BYTES = 8 * 2 ** 20;
/** Largest text whose Text-Code the service stores, in bytes. */
export const MAX_STORED_TEXT_BYTES = 2 ** 20;

/** JSON has no Text-Code. */
export function hasStoredTextUnit({
  mediaType,
  sizeBytes,
}: {
  mediaType: string;
  sizeBytes: number;
}): boolean {
  return mediaType.startsWith('text/') && sizeBytes <= MAX_STORED_TEXT_BYTES;
}

const DECODER_LIMIT_MS = 120_000;

export type ContentUnit = { unit: IsccUnit } | { reason: string };

export interface Decoders {
  fpcalc?: string | undefined;
  ffmpeg?: string | undefined;
}

export async function readContentUnit(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  { fpcalc, ffmpeg }: Decoders,
): Promise<ContentUnit> {
  if (mediaType.startsWith('text/')) return readText(bytes);
  if (mediaType.startsWith('image/')) return readImage(bytes);
  if (mediaType.startsWith('audio/')) return readSound({ bytes, mediaType }, fpcalc);
  if (mediaType.startsWith('video/')) return readVideo({ bytes, mediaType }, ffmpeg);
  return { reason: `No Content-Code is computed for ${mediaType}.` };
}

function readText(bytes: Uint8Array): ContentUnit {
  if (bytes.length > MAX_TEXT_BYTES)
    return { reason: `A text over ${MAX_TEXT_BYTES} bytes gets no Content-Code.` };
  return { unit: toTextUnit(bytes) };
}

export function toTextUnit(bytes: Uint8Array): IsccUnit {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return textUnit(new TextDecoder(encoding).decode(bytes));
}

async function readImage(bytes: Uint8Array): Promise<ContentUnit> {
  const pixels = await readGreyPixels(bytes);
  return pixels === undefined ? { reason: 'The picture cannot be decoded.' } : { unit: imageUnit(pixels) };
}

function readSound(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  fpcalc: string | undefined,
): ContentUnit {
  const format = soundFormatOf(mediaType);
  if (format === undefined) return { reason: `No Content-Code is computed for ${mediaType}.` };
  if (fpcalc === undefined) return { reason: 'The Content-Code of a sound needs the program fpcalc.' };
  const print = readPrintIfPossible(fpcalc, { bytes, format, maxSeconds: 0, limitMs: DECODER_LIMIT_MS });
  return print === undefined ? { reason: 'The sound cannot be decoded.' } : { unit: audioUnit(print) };
}

async function readVideo(
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  ffmpeg: string | undefined,
): Promise<ContentUnit> {
  const demuxer = demuxerOf(mediaType);
  if (demuxer === undefined) return { reason: `No Content-Code is computed for ${mediaType}.` };
  if (ffmpeg === undefined) return { reason: 'The Content-Code of a video needs the program ffmpeg.' };
  const { signal } = new AbortController();
  const video = { content: Readable.from([bytes]), demuxer, signal, limitMs: DECODER_LIMIT_MS };
  const { signature } = await readSignature(ffmpeg, { ...video, withFrames: false });
  const unit = toVideoUnit(signature);
  return unit === undefined
    ? { reason: 'The video is damaged or too long, or ffmpeg cannot compute its signature.' }
    : { unit };
}

/** Returns undefined without a signature, and if it is malformed or empty. */
export function toVideoUnit(signature: Uint8Array | undefined): IsccUnit | undefined {
  if (signature === undefined) return undefined;
  try {
    return videoUnit(parseVideoSignature(signature));
  } catch (error) {
    if (error instanceof IsccError) return undefined;
    throw error;
  }
}
