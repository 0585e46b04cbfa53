import { withTemporaryFile } from '../../platform/files/temporary-file.js';
import { QUIET_FLAGS, runDecoder, toInput } from '../run-decoder.js';
import {
  FRAME_BYTES,
  FRAME_EDGE,
  FRAME_RATE,
  MAX_FRAMES_BYTES,
  MAX_SAMPLES,
  MAX_VIDEO_SECONDS,
} from './frames.js';

/** Decoders of common formats. FFmpeg has hundreds of others, which are rarely used and rarely tested. */
const CODECS = [
  'h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h263,mpeg4,msmpeg4v2,msmpeg4,mpeg1video,mpeg2video',
  'mjpeg,prores,ffv1,huffyuv,rawvideo,png,theora',
].join(',');

/** A video for the decoder. */
export interface VideoToRead {
  /** The path of a file, or bytes, which are written to a temporary file. */
  content: string | AsyncIterable<Uint8Array>;
  /** Name of the FFmpeg demuxer. */
  demuxer: string;
  /** Ends the decoder when it aborts. */
  signal: AbortSignal;
  /** Longest time of the decoder, in ms. */
  limitMs: number;
}

/**
 * Decodes frames of the beginning of a video in a process of its own. Returns at most `MAX_SAMPLES` frames as
 * consecutive bytes: those that the decoder wrote within its limits of time, memory and output size. When the signal
 * aborts, ends the process and then rejects with the signal's reason.
 */
export function readFrames(ffmpeg: string, video: VideoToRead): Promise<Uint8Array> {
  return withVideoFile(video, (file) => decodeFile(ffmpeg, { ...video, content: file }));
}

/** Runs work with the path of a video. Writes bytes to a temporary file first. */
export function withVideoFile<Result>(
  { content, signal }: Pick<VideoToRead, 'content' | 'signal'>,
  run: (file: string) => Promise<Result>,
): Promise<Result> {
  return typeof content === 'string' ? run(content) : withTemporaryFile('video', { content, signal }, run);
}

/** Flags of FFmpeg that open a video. `maxSeconds`: number of seconds to read from the beginning; by default all. */
export function toInputFlags(path: string, demuxer: string, maxSeconds?: number): string[] {
  return [...QUIET_FLAGS, ...toInput({ path, demuxer, decoders: CODECS, maxSeconds })];
}

/** Flags of the output with the frames. FFmpeg writes each frame at once, so none is lost at a limit. */
export const FRAME_FLAGS = [
  ...['-map', '0:v:0', '-an', '-sn', '-dn', '-t', String(MAX_VIDEO_SECONDS)],
  ...['-vf', `fps=${FRAME_RATE},scale=${FRAME_EDGE}:${FRAME_EDGE}:flags=area`],
  ...['-frames:v', String(MAX_SAMPLES), '-pix_fmt', 'rgb24'],
  ...['-flush_packets', '1', '-f', 'rawvideo', 'pipe:1'],
];

/** Returns the decoded frames without an incomplete one at the end. */
export function toWholeFrames(output: Uint8Array): Uint8Array {
  return output.subarray(0, output.length - (output.length % FRAME_BYTES));
}

async function decodeFile(
  ffmpeg: string,
  { content: file, demuxer, signal, limitMs }: VideoToRead & { content: string },
): Promise<Uint8Array> {
  const limits = { signal, limitMs, maxBytes: MAX_FRAMES_BYTES };
  const command = [ffmpeg, ...toInputFlags(file, demuxer, MAX_VIDEO_SECONDS), ...FRAME_FLAGS];
  return toWholeFrames((await runDecoder(command, limits)).output);
}
