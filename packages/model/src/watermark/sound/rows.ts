import { BANDS } from './layout.js';
import { countFrames, createLevels, type Levels } from './levels.js';

/** Half the width of the local means, in frames. */
const HALF_TIME = 14;
/** Half the width of the local means, as a fraction of the bins. */
const HALF_FREQUENCY = 0.25;
/** Larger differences from the mean are reduced to this value, in dB. */
const CLIP = 14;
/** Added to the variance of a cell, in dB squared. */
const LEAST_VARIANCE = 2;
/** A variance below this value is silence, in dB squared. */
const SILENCE = 0.02;
/** Frames that are analysed together, which limits the memory. */
const BLOCK = 2_000;
const CONTEXT = 2 * HALF_TIME;

/**
 * Levels relative to their surroundings in time and frequency. `values`: sum of `difference / variance`. `weights`: sum
 * of `1 / variance`. The index is `frame * BANDS + band`.
 */
export interface Rows {
  frames: number;
  values: Float32Array;
  weights: Float32Array;
}

export function readRows(mono: Float32Array, sampleRate: number): Rows {
  const frames = countFrames(mono, sampleRate);
  const read = createLevels(mono, sampleRate);
  const rows = {
    frames,
    values: new Float32Array(frames * BANDS),
    weights: new Float32Array(frames * BANDS),
  };
  for (let first = 0; first < frames; first += BLOCK) {
    const start = Math.max(0, first - CONTEXT);
    const end = Math.min(frames, first + BLOCK + CONTEXT);
    const levels = read(start, end);
    const variances = whiten(levels);
    const last = Math.min(frames, first + BLOCK);
    for (let frame = first; frame < last; frame++)
      sumBands(levels, variances, { from: frame - start, to: frame, rows });
  }
  return rows;
}

function sumBands(
  { bins, values, bandOf }: Levels,
  variances: Float32Array,
  { from, to, rows }: { from: number; to: number; rows: Rows },
): void {
  for (let bin = 0; bin < bins; bin++) {
    const variance = variances[from * bins + bin] ?? 0;
    if (variance < SILENCE) continue;
    const at = to * BANDS + (bandOf[bin] ?? 0);
    const weight = 1 / (variance + LEAST_VARIANCE);
    rows.values[at] = (rows.values[at] ?? 0) + (values[from * bins + bin] ?? 0) * weight;
    rows.weights[at] = (rows.weights[at] ?? 0) + weight;
  }
}

/** Replaces each level by its difference, and returns the local variance of the differences. */
function whiten(levels: Levels): Float32Array {
  const { values } = levels;
  const means = meanInTime(levels, values);
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) - (means[at] ?? 0);
  subtractNeighbours(levels);
  const squares = means;
  for (let at = 0; at < values.length; at++) {
    const value = Math.max(-CLIP, Math.min(CLIP, values[at] ?? 0));
    values[at] = value;
    squares[at] = value * value;
  }
  return meanInTime(levels, squares);
}

/** Subtracts the mean of the neighbours in the same frame, which removes the effect of loud moments. */
function subtractNeighbours({ frames, bins, values }: Levels): void {
  const half = Math.round(bins * HALF_FREQUENCY);
  const sums = new Float64Array(bins + 1);
  for (let frame = 0; frame < frames; frame++) {
    const row = values.subarray(frame * bins, (frame + 1) * bins);
    for (let bin = 0; bin < bins; bin++) sums[bin + 1] = (sums[bin] ?? 0) + (row[bin] ?? 0);
    for (let bin = 0; bin < bins; bin++) {
      const from = Math.max(0, bin - half);
      const to = Math.min(bins, bin + half + 1);
      row[bin] = (row[bin] ?? 0) - ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    }
  }
}

function meanInTime({ frames, bins }: Levels, values: Float32Array): Float32Array {
  const means = new Float32Array(values.length);
  const sums = new Float64Array(bins);
  const add = (frame: number, sign: number) => {
    if (frame < 0 || frame >= frames) return;
    for (let bin = 0; bin < bins; bin++)
      sums[bin] = (sums[bin] ?? 0) + sign * (values[frame * bins + bin] ?? 0);
  };
  for (let frame = 0; frame < HALF_TIME; frame++) add(frame, 1);
  for (let frame = 0; frame < frames; frame++) {
    add(frame + HALF_TIME, 1);
    add(frame - HALF_TIME - 1, -1);
    const count = Math.min(frames - 1, frame + HALF_TIME) - Math.max(0, frame - HALF_TIME) + 1;
    for (let bin = 0; bin < bins; bin++) means[frame * bins + bin] = (sums[bin] ?? 0) / count;
  }
  return means;
}
