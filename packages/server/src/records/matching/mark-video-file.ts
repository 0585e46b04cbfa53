import { rm, writeFile } from 'node:fs/promises';
import { toImageMarkBinding } from '@colophon/model';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import { DECODER_BYTES } from '../../search/run-decoder.js';
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
import { withinDecoderLimit } from './decode-video.js';
import {
  drawBinding,
  type MarkedCopyDeps,
  type MediaToMark,
  type Watermarking,
} from './write-marked-copy.js';

const PAYLOAD_BYTES = 6;
/** Time limits of FFmpeg, in ms. */
const LIMIT_MS = { header: 5_000, frames: 10_000, copy: 20_000 };
/** Time limit of all steps, with the waits for their slots, in ms. */
const TOTAL_LIMIT_MS = 120_000;
/** Memory for the samples in both threads, for the mark in full size, and to draw or read the mark. */
export const FRAMES_BYTES = 3 * MAX_SAMPLED_BYTES + 3 * MAX_FRAME_PIXELS + 32 * 2 ** 20;
/** A decoded video may have one frame more or less after it is encoded again. */
const FRAMES_OFF = 1;

/** `ffmpeg`: path of the program. */
interface VideoToMark {
  projectId: string;
  ffmpeg: string;
  file: Omit<VideoFile, 'signal' | 'limitMs'>;
  signal: AbortSignal;
}

/** Whether a video of this media type can get a watermark where FFmpeg is installed. */
export function isMarkableVideo(mediaType: string): boolean {
  return muxerOf(mediaType) !== undefined && demuxerOf(mediaType) !== undefined;
}

/**
 * Writes a copy of a video with a new watermark in all frames, in the directory of the file. The video must be
 * `isMarkableVideo`. Returns the reason when the video gets no watermark. Each step waits in the fair queue for a slot of
 * its own, and gives way to searches, because it takes long. Rejects with `Unavailable` after `TOTAL_LIMIT_MS`.
 */
export async function markVideoFile(
  deps: MarkedCopyDeps,
  projectId: string,
  { media, signal }: MediaToMark,
): Promise<Watermarking> {
  const { ffmpeg } = deps.matching;
  const [muxer, demuxer] = [muxerOf(media.mediaType), demuxerOf(media.mediaType)];
  if (ffmpeg === undefined || muxer === undefined || demuxer === undefined)
    return { reason: 'Videos get a watermark only where the operator has installed ffmpeg.' };
  if (media.digests.sizeBytes > MAX_DESCRIBED_BYTES)
    return { reason: `A file of more than ${MAX_DESCRIBED_BYTES} bytes gets no watermark.` };
  const file = { path: media.path, demuxer };
  const paths = { pattern: media.besides('pattern'), copy: media.besides('watermarked') };
  return withinDecoderLimit({ signal, limitMs: TOTAL_LIMIT_MS }, (limited) =>
    markFrames(deps, { projectId, ffmpeg, file, signal: limited }, { ...paths, muxer }),
  );
}

async function markFrames(
  deps: MarkedCopyDeps,
  video: VideoToMark,
  { pattern, copy, muxer }: { pattern: string; copy: string; muxer: string },
): Promise<Watermarking> {
  const method = { payloadBytes: PAYLOAD_BYTES, toBinding: toImageMarkBinding };
  const { payload, asserted } = await drawBinding(deps, method);
  const drawn = await drawPattern(deps, video, payload);
  if ('reason' in drawn) return drawn;
  await writeCopy(deps, video, { ...drawn, pattern, copy, muxer });
  const found = await readCopy(deps, { ...video, file: { ...video.file, path: copy } });
  const lack = whyNotMarked(found, { payload, frames: drawn.frames });
  if (lack === undefined) return { copy: { path: copy, binding: asserted } };
  await rm(copy, { force: true });
  return { reason: lack };
}

/** `pattern` and `copy` are paths of files to write, and `frame` is the content of `pattern`. */
async function writeCopy(
  deps: MarkedCopyDeps,
  video: VideoToMark,
  { frame, pattern, ...marking }: DrawnPattern & { pattern: string; copy: string; muxer: string },
): Promise<void> {
  await writeFile(pattern, frame, { flag: 'wx', mode: 0o600 });
  await inSlot(deps, video, DECODER_BYTES, (running) => {
    const file = { ...video.file, signal: running, limitMs: LIMIT_MS.copy };
    return writeMarkedVideo(video.ffmpeg, file, { ...marking, pattern });
  });
  await rm(pattern);
}

/** The result of reading the frames of a copy. */
interface CopyReading {
  frames: number;
  payload: bigint | undefined;
}

function whyNotMarked(found: CopyReading, wanted: CopyReading): string | undefined {
  if (Math.abs(found.frames - wanted.frames) > FRAMES_OFF)
    return `FFmpeg did not encode the complete video within ${LIMIT_MS.copy / 1000} s. It needs libx264.`;
  if (found.payload === wanted.payload) return undefined;
  return 'The frames of the video do not carry a watermark that the detector can read.';
}

/** The watermark as a frame in yuv420p, the size of the video, and the number of sampled frames. */
interface DrawnPattern {
  frame: Uint8Array;
  size: Pick<FrameHeader, 'width' | 'height'>;
  frames: number;
}

/** Draws the watermark, or returns the reason why the video gets none. */
function drawPattern(
  deps: MarkedCopyDeps,
  video: VideoToMark,
  payload: bigint,
): Promise<DrawnPattern | { reason: string }> {
  const { ffmpeg, file } = video;
  return inSlot(deps, video, DECODER_BYTES + FRAMES_BYTES, async (running, hold) => {
    const header = await readVideoHeader(ffmpeg, { ...file, signal: running, limitMs: LIMIT_MS.header });
    if (header === undefined || !header.pixels.startsWith('420') || header.pixelAspect !== 1)
      return { reason: 'Only videos with 8 bits for each colour (4:2:0) and square pixels get a watermark.' };
    if (header.width * header.height > MAX_FRAME_PIXELS)
      return { reason: `A video of more than ${MAX_FRAME_PIXELS} pixels in each frame gets no watermark.` };
    const bytes = await sampleFrames(ffmpeg, { ...file, signal: running, limitMs: LIMIT_MS.frames });
    const frames = countSampled(bytes);
    const lack = whyTooLong(header, frames);
    if (lack !== undefined) return { reason: lack };
    const { width, height } = header;
    const place = { signal: running, hold, moved: [bytes.buffer] };
    const task = { kind: 'drawMark', bytes, size: { width, height }, payload } as const;
    const answer = await deps.matching.pool.run(task, place);
    if (answer.kind === 'unmarked') return { reason: answer.reason };
    if (answer.kind !== 'marked') throw new Error(`The search thread returned "${answer.kind}"`);
    return { frame: toYuv(answer.bytes, header), size: { width, height }, frames };
  });
}

function whyTooLong({ width, height, rate }: FrameHeader, frames: number): string | undefined {
  if (frames === 0) return 'The video has no frames that can be decoded.';
  if (frames >= MAX_SAMPLED_FRAMES)
    return `A video of more than ${MAX_MARKED_VIDEO_SECONDS} s gets no watermark.`;
  const pixels = Math.round((frames / SAMPLE_RATE) * rate * width * height);
  if (pixels <= MAX_MARKED_PIXELS) return undefined;
  return `The frames of the video have about ${pixels} pixels together. At most ${MAX_MARKED_PIXELS} get a watermark.`;
}

/** Reads the mark of the written copy, and counts its sampled frames. */
function readCopy(deps: MarkedCopyDeps, video: VideoToMark): Promise<CopyReading> {
  const { ffmpeg, file } = video;
  return inSlot(deps, video, DECODER_BYTES + FRAMES_BYTES, async (running, hold) => {
    const bytes = await sampleFrames(ffmpeg, { ...file, signal: running, limitMs: LIMIT_MS.frames });
    const frames = countSampled(bytes);
    const place = { signal: running, hold, moved: [bytes.buffer] };
    const answer = await deps.matching.pool.run({ kind: 'readMark', as: 'frames', bytes }, place);
    return { frames, payload: answer.kind === 'read' ? answer.payload : undefined };
  });
}

function countSampled(bytes: Uint8Array): number {
  const header = readFrameHeader(bytes);
  return header === undefined ? 0 : countFrames(bytes, header);
}

function inSlot<T>(
  { scheduler }: Pick<MarkedCopyDeps, 'scheduler'>,
  { projectId, signal }: Pick<VideoToMark, 'projectId' | 'signal'>,
  memoryBytes: number,
  task: Parameters<typeof scheduler.run<T>>[1],
): Promise<T> {
  const turn = {
    isBackground: true,
    canRestart: true,
    kind: 'video',
    projectId,
    memoryBytes,
    signal,
  } as const;
  return scheduler.run(turn, task);
}
