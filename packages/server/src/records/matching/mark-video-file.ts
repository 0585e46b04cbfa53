import { rm, writeFile } from 'node:fs/promises';
import type { StoredSoftBinding } from '@colophon/model';
import type { Hold } from '../../platform/work/scheduler.js';
import { WAVE_MARK } from '../../search/image-mark.js';
import { includesBinding } from '../../search/mark-format.js';
import { ENCODER_BYTES } from '../../search/run-decoder.js';
import { demuxerOf } from '../../search/video/frames.js';
import {
  MAX_FRAME_PIXELS,
  MAX_MARKED_PIXELS,
  MAX_MARKED_VIDEO_SECONDS,
  MAX_SAMPLED_BYTES,
  MAX_SAMPLED_FRAMES,
  muxerOf,
  readVideoHeader,
  SAMPLE_RATE,
  sampleFrames,
  type VideoFile,
  writeMarkedVideo,
} from '../../search/video/mark-video.js';
import { countFrames, type FrameHeader, readFrameHeader, toYuv } from '../../search/video/y4m.js';
import {
  drawBinding,
  ENCODED_TURN,
  type MarkedCopyDeps,
  type MediaToMark,
  markWithFfmpeg,
  STEP_TIMES,
  type Watermarking,
} from './write-marked-copy.js';

/** In bytes: for the samples in two threads, the mark in the size of the video, and its drawing or reading. */
export const SAMPLES_BYTES = 3 * MAX_SAMPLED_BYTES + 3 * MAX_FRAME_PIXELS + 32 * 2 ** 20;
/** A video can gain or lose one sample when it is encoded again. */
const SAMPLES_OFF = 1;

/** Whether the service can mark videos of this type. Also returns true when FFmpeg is not installed. */
export function isMarkableVideo(mediaType: string): boolean {
  return muxerOf(mediaType) !== undefined && demuxerOf(mediaType) !== undefined;
}

/** `pattern` and `copy`: paths of files to write. */
interface VideoToMark {
  ffmpeg: string;
  file: Pick<VideoFile, 'path' | 'demuxer'>;
  pattern: string;
  copy: string;
  muxer: string;
  payload: bigint;
  binding: StoredSoftBinding;
}

interface MarkingPlace {
  signal: AbortSignal;
  hold: Hold;
}

/** Marks all frames. A waiting search can interrupt the work, which starts again when a slot is free. */
export async function markVideoFile(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  const { path, besides, mediaType } = media;
  const [muxer, demuxer] = [muxerOf(mediaType), demuxerOf(mediaType)];
  if (muxer === undefined || demuxer === undefined)
    throw new Error(`${mediaType} is no video that can get a watermark`);
  const turn = { ...ENCODED_TURN, projectId, memoryBytes: ENCODER_BYTES + SAMPLES_BYTES };
  const mark = async (ffmpeg: string, limited: AbortSignal): Promise<Watermarking> => {
    const { payload, binding } = await drawBinding(deps, WAVE_MARK);
    const paths = { pattern: besides('pattern'), copy: besides('watermarked') };
    const video = { ffmpeg, file: { path, demuxer }, ...paths, muxer, payload, binding };
    const reason = await deps.scheduler.run({ ...turn, signal: limited }, (running, hold) =>
      writeMarked(deps, video, { signal: running, hold }),
    );
    return reason === undefined ? { copy: { path: paths.copy, binding } } : { reason };
  };
  return markWithFfmpeg(deps, { media, signal, things: 'Videos', mark });
}

/** Writes the marked copy, or returns the reason why the video gets no watermark. */
async function writeMarked(
  deps: MarkedCopyDeps,
  video: VideoToMark,
  place: MarkingPlace,
): Promise<string | undefined> {
  const { ffmpeg, file, pattern, copy, muxer, payload } = video;
  const at = { ...file, signal: place.signal };
  const size = await readVideoHeader(ffmpeg, { ...at, ...STEP_TIMES.header });
  const unfit = whyUnfit(size);
  if (size === undefined || unfit !== undefined) return unfit;
  const samples = await sampleFrames(ffmpeg, { ...at, ...STEP_TIMES.decode });
  const count = countSamples(samples.output);
  const tooLong = whyTooLong(size, { count, hasEnded: samples.hasEnded });
  if (tooLong !== undefined) return tooLong;
  const drawn = await drawPattern(deps, { samples: samples.output, size, payload }, place);
  if (typeof drawn === 'string') return drawn;
  await writeFile(pattern, toYuv(drawn, size), { mode: 0o600 });
  const marking = { pattern, copy, muxer, size };
  const isWritten = await writeMarkedVideo(ffmpeg, { ...at, ...STEP_TIMES.encode }, marking);
  await rm(pattern);
  const lack = isWritten
    ? await whyNotMarked(deps, { video, count }, place)
    : `FFmpeg could not encode the video with libx264 within ${STEP_TIMES.encode.limitMs / 1000} s, ${STEP_TIMES.encode.cpuSeconds} s of processor time and its memory limit.`;
  if (lack !== undefined) await rm(copy, { force: true });
  return lack;
}

function whyUnfit(size: FrameHeader | undefined): string | undefined {
  if (size === undefined || !size.pixels.startsWith('420') || size.pixelAspect !== 1 || size.isInterlaced)
    return 'Only videos with 8 bits for each colour (4:2:0), square pixels and progressive frames (not interlaced) get a watermark.';
  if (size.width * size.height <= MAX_FRAME_PIXELS) return undefined;
  return `A video of more than ${MAX_FRAME_PIXELS} pixels in each frame gets no watermark.`;
}

function whyTooLong(
  { width, height, rate }: FrameHeader,
  { count, hasEnded }: { count: number; hasEnded: boolean },
): string | undefined {
  if (count >= MAX_SAMPLED_FRAMES)
    return `A video of more than ${MAX_MARKED_VIDEO_SECONDS} s gets no watermark.`;
  if (!hasEnded)
    return `FFmpeg could not decode the complete video within ${STEP_TIMES.decode.limitMs / 1000} s, ${STEP_TIMES.decode.cpuSeconds} s of processor time and its memory limit.`;
  if (count === 0) return 'The video has no frames that can be decoded.';
  // The last sample can cover less than a second.
  const seconds = Math.max(1, count - 1) / SAMPLE_RATE;
  const pixels = Math.round(seconds * rate * width * height);
  if (pixels <= MAX_MARKED_PIXELS) return undefined;
  return `The frames of the video have about ${pixels} pixels together. The limit for a watermark is ${MAX_MARKED_PIXELS} pixels.`;
}

/** Draws the watermark in the size of the video, or returns the reason why there is none. */
async function drawPattern(
  { matching }: Pick<MarkedCopyDeps, 'matching'>,
  {
    samples,
    size: { width, height },
    payload,
  }: { samples: Uint8Array<ArrayBuffer>; size: FrameHeader; payload: bigint },
  place: MarkingPlace,
): Promise<Uint8Array | string> {
  const task = { kind: 'drawMark', bytes: samples, size: { width, height }, payload } as const;
  const answer = await matching.pool.run(task, { ...place, moved: [samples.buffer] });
  if (answer.kind === 'unmarked') return answer.reason;
  if (answer.kind !== 'marked') throw new Error(`The search thread returned "${answer.kind}"`);
  return answer.bytes;
}

async function whyNotMarked(
  { matching }: Pick<MarkedCopyDeps, 'matching'>,
  { video: { ffmpeg, file, copy, binding }, count }: { video: VideoToMark; count: number },
  place: MarkingPlace,
): Promise<string | undefined> {
  const limits = { signal: place.signal, ...STEP_TIMES.decode };
  const { output, hasEnded } = await sampleFrames(ffmpeg, { ...file, path: copy, ...limits });
  if (!hasEnded || Math.abs(countSamples(output) - count) > SAMPLES_OFF)
    return 'FFmpeg could not decode the marked copy completely.';
  const task = { kind: 'readMark', as: 'frames', bytes: output } as const;
  const answer = await matching.pool.run(task, { ...place, moved: [output.buffer] });
  if (answer.kind === 'read' && includesBinding(answer.bindings, binding)) return undefined;
  return 'The frames of the video do not carry a watermark that the detector can read.';
}

function countSamples(bytes: Uint8Array): number {
  const header = readFrameHeader(bytes);
  return header === undefined ? 0 : countFrames(bytes, header);
}
