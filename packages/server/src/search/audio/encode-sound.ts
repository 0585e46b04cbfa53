import { open } from 'node:fs/promises';
import { type DecoderBounds, QUIET_FLAGS, runEncoder, toInput } from '../run-decoder.js';

/** Settings of FFmpeg for a compressed sound. `decoders`: the only decoders that it may use. */
export interface SoundCoder {
  name: string;
  demuxer: string;
  muxer: string;
  decoders: string;
  encoder(channels: number): readonly string[];
}

const MP3: SoundCoder = {
  name: 'MP3',
  demuxer: 'mp3',
  muxer: 'mp3',
  decoders: 'mp3,mp3float',
  encoder: () => ['-c:a', 'libmp3lame', '-q:a', '0'],
};
/** `decoders` omits ALAC, which is lossless, because an AAC copy would lose quality. */
const AAC: SoundCoder = {
  name: 'AAC',
  demuxer: 'mov',
  muxer: 'ipod',
  decoders: 'aac',
  encoder: (channels) => ['-c:a', 'aac', '-b:a', `${96 * channels}k`, '-movflags', '+faststart'],
};
const FLAC: SoundCoder = {
  name: 'FLAC of at most 24 bits',
  demuxer: 'flac',
  muxer: 'flac',
  decoders: 'flac',
  encoder: () => ['-c:a', 'flac'],
};

const CODERS: Readonly<Record<string, SoundCoder>> = {
  'audio/mpeg': MP3,
  'audio/mp4': AAC,
  'audio/x-m4a': AAC,
  'audio/flac': FLAC,
};

/** Returns undefined if sounds of this type get no watermark. */
export function soundCoderOf(mediaType: string): SoundCoder | undefined {
  return CODERS[mediaType];
}

/** Largest WAV file of a decoded sound, in bytes: 6 minutes of two channels of 16 bits at 44.1 kHz. */
export const MAX_DECODED_BYTES = 64 * 2 ** 20;
/** Largest encoded copy, in bytes. */
const MAX_COPY_BYTES = 128 * 2 ** 20;
/** Decoders of cover pictures. FFmpeg copies these pictures, but reads their sizes first. */
const COVERS = 'mjpeg,png';

interface SoundToCode extends Omit<DecoderBounds, 'maxBytes'> {
  path: string;
  coder: SoundCoder;
}

/**
 * Decodes a sound into a WAV file of 16 bits, or of 24 bits for FLAC with 17 to 24 bits. Replaces an earlier file.
 * Returns false after a failure, for FLAC with more bits, or if the WAV file would exceed `MAX_DECODED_BYTES`.
 */
export async function decodeToWav(
  ffmpeg: string,
  { path, coder, ...bounds }: SoundToCode,
  wav: string,
): Promise<boolean> {
  const bits = coder === FLAC ? await readFlacBits(path) : 16;
  if (bits === 0 || bits > 24) return false;
  const samples = bits > 16 ? 'pcm_s24le' : 'pcm_s16le';
  const flags = [
    ...QUIET_FLAGS,
    ...toInput({ ...coder, path }),
    ...['-map', '0:a:0', '-map_metadata', '-1', '-c:a', samples, '-f', 'wav', '-y', `file:${wav}`],
  ];
  return runEncoder([ffmpeg, ...flags], { ...bounds, maxFileBytes: MAX_DECODED_BYTES });
}

/**
 * Encodes the samples of a WAV file in the format of the original, with its metadata and cover picture. Replaces an
 * earlier copy. Returns false after a failure: the copy is then absent or incomplete.
 */
export function encodeFromWav(
  ffmpeg: string,
  { path, coder, ...bounds }: SoundToCode,
  { wav, channels, copy }: { wav: string; channels: number; copy: string },
): Promise<boolean> {
  const flags = [
    ...QUIET_FLAGS,
    ...toInput({ ...coder, path, decoders: `${coder.decoders},${COVERS}` }),
    ...toInput({ path: wav, demuxer: 'wav', decoders: 'pcm_s16le,pcm_s24le' }),
    ...['-map', '1:a:0', '-map', '0:v?', '-c:v', 'copy', '-map_metadata', '0'],
    ...[...coder.encoder(channels), '-f', coder.muxer, '-y', `file:${copy}`],
  ];
  return runEncoder([ffmpeg, ...flags], { ...bounds, maxFileBytes: MAX_COPY_BYTES });
}

/** Returns the bits per sample of a FLAC file (RFC 9639 §8.2); 0 for a damaged file. */
async function readFlacBits(path: string): Promise<number> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(10);
    await file.read(head, 0, head.length, 0);
    // The size of an ID3v2 tag has 7 bits in each of four bytes.
    const tagBytes = [...head.subarray(6, 10)].reduce((size, byte) => size * 128 + (byte & 127), 0);
    const start = head.toString('latin1', 0, 3) === 'ID3' ? head.length + tagBytes : 0;
    const info = Buffer.alloc(22);
    await file.read(info, 0, info.length, start);
    if (info.toString('latin1', 0, 4) !== 'fLaC') return 0;
    return (((info.readUInt8(20) & 1) << 4) | (info.readUInt8(21) >> 4)) + 1;
  } finally {
    await file.close();
  }
}
