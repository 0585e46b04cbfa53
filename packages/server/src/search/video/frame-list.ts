import { dot, normalise } from '../vector.js';

const DIMENSIONS = 512;
/** A stored frame: first sample, number of samples (both 16 bits, big-endian), and the vector as signed bytes. */
const RECORD_BYTES = 4 + DIMENSIONS;
export const MAX_FRAMES = 120;
/** A sample belongs to the scene of the previous frame if the cosine of both is at least this value. */
const STILL_COSINE = 0.95;
const BYTE_SCALE = 127;

/** The features of a frame. The frame represents `samples` consecutive samples, beginning with the index `start`. */
export interface VideoFrame {
  start: number;
  samples: number;
  vector: Float32Array;
}

/**
 * Joins consecutive samples of the same scene into one frame. Skips undefined samples, which have no usable features,
 * for example because they are black.
 */
export function joinStill(samples: readonly (Float32Array | undefined)[]): VideoFrame[] {
  const frames: VideoFrame[] = [];
  for (const [at, vector] of samples.entries()) {
    if (vector === undefined) continue;
    const last = frames.at(-1);
    const isNext = last !== undefined && last.start + last.samples === at;
    if (isNext && dot(last.vector, vector) >= STILL_COSINE) last.samples++;
    else frames.push({ start: at, samples: 1, vector });
  }
  return frames.length <= MAX_FRAMES ? frames : joinNearest(frames);
}

/**
 * Joins the most similar neighbouring frames until `MAX_FRAMES` frames are left. A joined frame also represents the
 * skipped samples between its parts.
 */
function joinNearest(frames: readonly VideoFrame[]): VideoFrame[] {
  const steps = frames.slice(1).map((frame, at) => {
    const before = frames[at];
    const isNext = before !== undefined && before.start + before.samples === frame.start;
    return { frame, cosine: isNext ? dot(before.vector, frame.vector) : -1 };
  });
  steps.sort((a, b) => b.cosine - a.cosine);
  const joined = new Set(steps.slice(0, frames.length - MAX_FRAMES).map(({ frame }) => frame));
  const left: VideoFrame[] = [];
  for (const frame of frames) {
    const last = left.at(-1);
    if (last !== undefined && joined.has(frame)) last.samples = frame.start + frame.samples - last.start;
    else left.push({ ...frame });
  }
  return left;
}

export function spreadOver<Frame>(frames: readonly Frame[], most: number): Frame[] {
  if (frames.length <= most) return [...frames];
  return Array.from(
    { length: most },
    (_, at) => frames[Math.floor(((at + 0.5) * frames.length) / most)],
  ).filter((frame) => frame !== undefined);
}

/** The error of a number is at most 1/254 of the largest number of its frame. */
export function toFrameBytes(frames: readonly VideoFrame[]): Uint8Array {
  const bytes = Buffer.alloc(frames.length * RECORD_BYTES);
  for (const [index, { start, samples, vector }] of frames.entries()) {
    const at = index * RECORD_BYTES;
    bytes.writeUInt16BE(start, at);
    bytes.writeUInt16BE(samples, at + 2);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    for (const [place, value] of vector.entries())
      bytes.writeInt8(Math.round((value / largest) * BYTE_SCALE), at + 4 + place);
  }
  return bytes;
}

export function fromFrameBytes(bytes: Uint8Array): VideoFrame[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(buffer.length / RECORD_BYTES) }, (_, index) => {
    const at = index * RECORD_BYTES;
    const numbers = new Int8Array(bytes.buffer, bytes.byteOffset + at + 4, DIMENSIONS);
    return {
      start: buffer.readUInt16BE(at),
      samples: buffer.readUInt16BE(at + 2),
      vector: Float32Array.from(normalise(numbers, 1)),
    };
  });
}
