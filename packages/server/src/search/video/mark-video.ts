import { type DecoderBounds, type DecoderRun, runDecoder, runEncoder } from '../run-decoder.js';
import { toInputFlags } from './read-frames.js';
import { type FrameHeader, readFrameHeader } from './y4m.js';

const MUXERS: Readonly<Record<string, string>> = { 'video/mp4': 'mp4', 'video/quicktime': 'mov' };

/** Longest video with a watermark, in seconds. Of a longer video, the detector reads only the beginning. */
export const MAX_MARKED_VIDEO_SECONDS = 60;
/** Largest number of pixels of all frames of a marked video. */
export const MAX_MARKED_PIXELS = 750_000_000;
/** Largest frame of a marked video, in pixels, because of the encoder's memory. */
export const MAX_FRAME_PIXELS = 2560 * 1440;
/**
 * Samples per second. Each sample is the mean of 24 frames, so most errors of the compression cancel out. The mean of
 * means takes less time.
 */
export const SAMPLE_RATE = 1;
const MEANS = { first: 6, second: 4 };
/** Longest side of a sample, in pixels. The detector analyses 512 pixels. */
const SAMPLE_SIDE = 512;
/** A video with this many samples is too long for a watermark. */
export const MAX_SAMPLED_FRAMES = MAX_MARKED_VIDEO_SECONDS * SAMPLE_RATE + 1;
export const MAX_SAMPLED_BYTES = MAX_SAMPLED_FRAMES * (SAMPLE_SIDE * SAMPLE_SIDE + 64);
const MAX_COPY_BYTES = 128 * 2 ** 20;
const HEADER_BYTES = 256;
/** Without frames that wait to be encoded, x264 needs about 100 MiB less. */
const X264_PARAMS = 'rc-lookahead=0:sync-lookahead=0:bframes=0:ref=1';

export interface VideoFile extends Omit<DecoderBounds, 'maxBytes'> {
  path: string;
  demuxer: string;
}

export function muxerOf(mediaType: string): string | undefined {
  return MUXERS[mediaType];
}

/** Returns undefined if the video is damaged or its pixels do not have 8 bits. */
export async function readVideoHeader(
  ffmpeg: string,
  { path, demuxer, ...bounds }: VideoFile,
): Promise<FrameHeader | undefined> {
  const flags = [...toInputFlags(path, demuxer), '-map', '0:v:0', '-frames:v', '1', '-f', 'yuv4mpegpipe'];
  const limits = { ...bounds, maxBytes: HEADER_BYTES };
  return readFrameHeader((await runDecoder([ffmpeg, ...flags, 'pipe:1'], limits)).output);
}

/**
 * Returns a grey picture for each second of the beginning, the mean of 24 frames, as a YUV4MPEG2 stream. If `hasEnded`
 * is false, later seconds are missing.
 */
export function sampleFrames(ffmpeg: string, { path, demuxer, ...bounds }: VideoFile): Promise<DecoderRun> {
  const scale = `scale=${SAMPLE_SIDE}:${SAMPLE_SIDE}:force_original_aspect_ratio=decrease:flags=area`;
  const rate = SAMPLE_RATE * MEANS.first * MEANS.second;
  const toMean = (frames: number) => `tmix=frames=${frames},framestep=${frames}`;
  const mean = `fps=${rate},${toMean(MEANS.first)},${toMean(MEANS.second)}`;
  const flags = [
    ...toInputFlags(path, demuxer, MAX_MARKED_VIDEO_SECONDS + 1),
    ...['-map', '0:v:0', '-vf', `${scale},format=yuv420p,extractplanes=y,${mean}`],
    ...['-frames:v', String(MAX_SAMPLED_FRAMES), '-f', 'yuv4mpegpipe', 'pipe:1'],
  ];
  return runDecoder([ffmpeg, ...flags], { ...bounds, maxBytes: MAX_SAMPLED_BYTES });
}

/** `pattern`: file with one yuv420p frame of `size`, which is added to each frame. `copy`: file to write. */
interface VideoMarking {
  pattern: string;
  size: { width: number; height: number };
  muxer: string;
  copy: string;
}

/**
 * Encodes a video as H.264 with the pattern in each frame. Copies sound and subtitles. Replaces an earlier copy.
 * Returns false after a failure: the copy is then absent or incomplete.
 */
export function writeMarkedVideo(
  ffmpeg: string,
  { path, demuxer, ...bounds }: VideoFile,
  { pattern, size: { width, height }, muxer, copy }: VideoMarking,
): Promise<boolean> {
  const flags = [
    ...toInputFlags(path, demuxer),
    ...['-protocol_whitelist', 'file', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`],
    ...['-i', `file:${pattern}`, '-filter_complex'],
    '[0:v:0]format=yuv420p[a];[a][1:v]blend=all_mode=grainmerge:eof_action=repeat[v]',
    ...['-map', '[v]', '-map', '0:a?', '-map', '0:s?', '-c', 'copy', '-map_metadata', '0'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-threads', '1'],
    ...['-x264-params', X264_PARAMS],
    ...['-movflags', '+faststart', '-f', muxer, '-y', `file:${copy}`],
  ];
  return runEncoder([ffmpeg, ...flags], { ...bounds, maxFileBytes: MAX_COPY_BYTES });
}
