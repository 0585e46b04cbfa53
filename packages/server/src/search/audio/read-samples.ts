import { type DecoderBounds, QUIET_FLAGS, runDecoder, toInput } from '../run-decoder.js';
import { MAX_READ_SECONDS, READ_RATE, READ_SAMPLE_BYTES } from '../sound-mark.js';
import { soundFormatOf } from './read-print.js';

/** The service reads the samples of WAV files itself. */
const COMPRESSED = /^audio\/(mpeg|mp4|x-m4a|aac|flac|ogg)(;.*)?$/;
/** The other decoders of FFmpeg are rarely used and rarely tested. */
const CODECS = 'mp3,mp3float,aac,alac,flac,vorbis,libvorbis,opus,libopus';
export const MAX_SAMPLES_BYTES = MAX_READ_SECONDS * READ_RATE * READ_SAMPLE_BYTES;

export interface SoundToRead extends Omit<DecoderBounds, 'maxBytes'> {
  path: string;
  demuxer: string;
}

export function soundDemuxerOf(mediaType: string): string | undefined {
  return COMPRESSED.test(mediaType) ? soundFormatOf(mediaType) : undefined;
}

/**
 * Decodes the beginning of a sound. Returns the samples that the decoder wrote within its limits: one channel of 16-bit
 * integers (little-endian) at `READ_RATE`.
 */
export async function readSamples(
  ffmpeg: string,
  { path, demuxer, ...bounds }: SoundToRead,
): Promise<Uint8Array<ArrayBuffer>> {
  const flags = [
    ...QUIET_FLAGS,
    ...toInput({ path, demuxer, decoders: CODECS, maxSeconds: MAX_READ_SECONDS }),
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-ac', '1', '-ar', String(READ_RATE), '-f', 's16le', 'pipe:1'],
  ];
  const limits = { ...bounds, maxBytes: MAX_SAMPLES_BYTES };
  return (await runDecoder([ffmpeg, ...flags], limits)).output;
}
