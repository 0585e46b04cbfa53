import { dot } from '../vector.js';
import { fromFrameBytes, type VideoFrame } from './frame-list.js';

/** Minimum cosine of two equal frames (bench/similarity.md). */
const SAME_FRAME = 0.75;
/** Tolerance in samples: the decoders of two copies can take a sample from neighbouring frames. */
const SLACK = 1;
/** With fewer different frames, such as one still picture, the agreement is at most `FEW_AGREEMENT`. */
const MIN_DISTINCT = 3;
const FEW_AGREEMENT = 0.5;

export interface VideoAgreement {
  /**
   * Share of the shorter video that shows the same frames as the other, in their best alignment, from 0 to 1. Frames
   * without usable features do not count.
   */
  agreement: number;
  cosine: number;
}

export function compareVideos(a: Uint8Array, b: Uint8Array): VideoAgreement {
  const [one, other] = [fromFrameBytes(a), fromFrameBytes(b)];
  const cosines = one.map(({ vector }) =>
    Float32Array.from(other, ({ vector: second }) => dot(vector, second)),
  );
  const [samples, others] = [toSamples(one), toSamples(other)];
  let best: Aligned = { equal: [], sum: 0 };
  for (let shift = -samples.length; shift <= others.length; shift++) {
    const aligned = alignAt({ samples, others, cosines }, shift);
    if (aligned.equal.length > best.equal.length) best = aligned;
  }
  const least = Math.min(countUsable(samples), countUsable(others));
  if (best.equal.length === 0 || least === 0) return { agreement: 0, cosine: 0 };
  const share = Math.min(1, best.equal.length / least);
  const isFew = countDistinct(one, best.equal) < MIN_DISTINCT;
  return {
    agreement: isFew ? Math.min(FEW_AGREEMENT, share) : share,
    cosine: best.sum / best.equal.length,
  };
}

/** `equal`: the index of the frame for each equal sample. `sum`: the sum of their cosines. */
interface Aligned {
  equal: number[];
  sum: number;
}

interface Comparison {
  samples: Int16Array;
  others: Int16Array;
  cosines: readonly Float32Array[];
}

function alignAt({ samples, others, cosines }: Comparison, shift: number): Aligned {
  const aligned: Aligned = { equal: [], sum: 0 };
  for (let at = Math.max(0, -shift - SLACK); at < samples.length; at++) {
    const frame = samples[at] ?? NONE;
    if (frame === NONE) continue;
    if (at + shift - SLACK >= others.length) break;
    let cosine = 0;
    for (let near = at + shift - SLACK; near <= at + shift + SLACK; near++)
      cosine = Math.max(cosine, cosines[frame]?.[others[near] ?? NONE] ?? 0);
    if (cosine < SAME_FRAME) continue;
    aligned.equal.push(frame);
    aligned.sum += cosine;
  }
  return aligned;
}

const NONE = -1;

/** Returns the index of the frame for each sample; -1 without usable features. */
function toSamples(frames: readonly VideoFrame[]): Int16Array {
  const last = frames.at(-1);
  const samples = new Int16Array(last === undefined ? 0 : last.start + last.samples).fill(NONE);
  for (const [index, { start, samples: count }] of frames.entries())
    samples.fill(index, start, start + count);
  return samples;
}

function countUsable(samples: Int16Array): number {
  return samples.reduce((count, frame) => (frame === NONE ? count : count + 1), 0);
}

function countDistinct(frames: readonly VideoFrame[], which: readonly number[]): number {
  const distinct: Float32Array[] = [];
  for (const index of new Set(which)) {
    const vector = frames[index]?.vector;
    if (vector === undefined || distinct.some((other) => dot(other, vector) >= SAME_FRAME)) continue;
    distinct.push(vector);
    if (distinct.length === MIN_DISTINCT) break;
  }
  return distinct.length;
}
