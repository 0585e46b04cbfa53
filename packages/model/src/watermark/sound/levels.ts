import { createTransform } from '../fourier.js';
import { BAND_EDGES, HOP_SECONDS } from './layout.js';

/** The length of an analysed frame. */
const FRAME_SECONDS = 0.046;
/** Added to the power of each bin, relative to the mean power: -70 dB. Hides differences between very quiet bins. */
const FLOOR = 1e-7;
/** Rounding error of 16-bit samples, added to the floor. */
const ROUNDING = 1e-10;

/** `values[frame * bins + bin]`: the level of a bin in a frame, in dB. `bandOf`: the band of each bin. */
export interface Levels {
  frames: number;
  bins: number;
  values: Float32Array;
  bandOf: Int16Array;
}

/** `end` is excluded. */
export type ReadLevels = (first: number, end: number) => Levels;

export function countFrames(mono: Float32Array, sampleRate: number): number {
  return Math.floor(mono.length / sampleRate / HOP_SECONDS);
}

/** Frames of 46 ms with a Hann window. */
export function createLevels(mono: Float32Array, sampleRate: number): ReadLevels {
  const length = Math.round(FRAME_SECONDS * sampleRate);
  const size = 2 ** Math.ceil(Math.log2(length));
  const window = Float32Array.from({ length }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / length) ** 2);
  const transform = createTransform(size);
  const toBin = (hertz = 0) => Math.min(size / 2, Math.ceil((hertz * size) / sampleRate));
  const firstBin = toBin(BAND_EDGES[0]);
  const bins = toBin(BAND_EDGES.at(-1)) - firstBin;
  const bandOf = Int16Array.from({ length: bins }, (_, bin) => {
    const hertz = ((bin + firstBin) * sampleRate) / size;
    return BAND_EDGES.findIndex((edge) => edge > hertz) - 1;
  });
  const floor = meanSquare(mono) * length * FLOOR + length * ROUNDING;
  const re = new Float32Array(size);
  const im = new Float32Array(size);
  const load = (part: Float32Array, frame: number) => {
    const start = Math.round((frame + 0.5) * HOP_SECONDS * sampleRate - length / 2);
    part.fill(0);
    for (let n = 0; n < length; n++) part[n] = (mono[start + n] ?? 0) * (window[n] ?? 0);
  };
  const toDecibels = (real: number, imaginary: number) =>
    10 * Math.log10((real * real + imaginary * imaginary) / 4 + floor);
  return (first, end) => {
    const frames = end - first;
    const values = new Float32Array((frames + 1) * bins);
    // Two frames share one transform, because the spectrum of real values is symmetric.
    for (let frame = 0; frame < frames; frame += 2) {
      load(re, first + frame);
      load(im, first + frame + 1);
      transform({ re, im });
      for (let bin = 0; bin < bins; bin++) {
        const k = bin + firstBin;
        const [ar, ai, br, bi] = [re[k] ?? 0, im[k] ?? 0, re[size - k] ?? 0, im[size - k] ?? 0];
        values[frame * bins + bin] = toDecibels(ar + br, ai - bi);
        values[(frame + 1) * bins + bin] = toDecibels(ai + bi, br - ar);
      }
    }
    return { frames, bins, values: values.subarray(0, frames * bins), bandOf };
  };
}

function meanSquare(mono: Float32Array): number {
  let squares = 0;
  for (const value of mono) squares += value * value;
  return squares / Math.max(1, mono.length);
}
