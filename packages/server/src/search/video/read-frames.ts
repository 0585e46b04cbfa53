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

/** The other decoders of FFmpeg are rarely used and rarely tested. */
const CODECS = [
  'h264,hevc,vp8,vp9,libvpx,libvpx-vp9,av1,libdav1d,libaom-av1,h263,mpeg4,msmpeg4v2,msmpeg4,mpeg1video,mpeg2video',
  'mjpeg,prores,ffv1,huffyuv,rawvideo,png,theora',
].join(',');

export interface VideoToRead {
  /** The path of a file, or bytes for a temporary file. */
  content: string | AsyncIterable<Uint8Array>;
  demuxer: string;
  signal: AbortSignal;
  limitMs: number;
}

/**
 * Decodes frames of the beginning of a video. Returns the frames that the decoder wrote within its limits, at most
 * `MAX_SAMPLES`. When the signal aborts, ends the process and then rejects with the signal's reason.
 */
export function readFrames(ffmpeg: string, video: VideoToRead): Promise<Uint8Array> {
  return withVideoFile(video, (file) => decodeFile(ffmpeg, { ...video, content: file }));
}

export function withVideoFile<Result>(
  { content, signal }: Pick<VideoToRead, 'content' | 'signal'>,
  run: (file: string) => Promise<Result>,
): Promise<Result> {
  return typeof content === 'string' ? run(content) : withTemporaryFile('video', { content, signal }, run);
}

export function toInputFlags(path: string, demuxer: string, maxSeconds?: number): string[] {
  return [...QUIET_FLAGS, ...toInput({ path, demuxer, decoders: CODECS, maxSeconds })];
}

/** FFmpeg writes each frame at once, so none is lost at a limit. */
export const FRAME_FLAGS = [
  ...['-map', '0:v:0', '-an', '-sn', '-dn', '-t', String(MAX_VIDEO_SECONDS)],
  ...['-vf', `fps=${FRAME_RATE},scale=${FRAME_EDGE}:${FRAME_EDGE}:flags=area`],
  ...['-frames:v', String(MAX_SAMPLES), '-pix_fmt', 'rgb24'],
  ...['-flush_packets', '1', '-f', 'rawvideo', 'pipe:1'],
];

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
