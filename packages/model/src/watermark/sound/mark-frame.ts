import { type Complex, createTransform } from '../fourier.js';
import { BAND_EDGES, BANDS, CHIP_SECONDS } from './layout.js';

/** Change of the level where the band has the spectrum of noise. */
const NOISE_DECIBELS = 1.1;
/** Change of the level where the band has single tones. */
const TONE_DECIBELS = 0.45;
/** Flatness of the spectrum below that of noise, in dB, from which a band gets `TONE_DECIBELS`. */
const TONAL = 8;
const NOISE_FLATNESS = 2.5;
/** Minimum length of a frame. The number of samples is a power of two. */
const LEAST_SECONDS = 0.03;

/** Overlapping frames: four frames cover each sample. */
export interface MarkFrame {
  size: number;
  hop: number;
  /** Applied before and after the change. The squares of four overlapping windows add up to 2. */
  window: Float32Array;
  /**
   * Replaces windowed samples by the change to add, to which the caller applies the window again. `seconds`: the middle
   * of the frame.
   */
  toChange(samples: Complex, seconds: number): void;
}

export function createMarkFrame(sampleRate: number, gains: Float32Array): MarkFrame {
  const size = 2 ** Math.ceil(Math.log2(LEAST_SECONDS * sampleRate));
  const transform = createTransform(size);
  const toBin = (hertz = 0) => Math.min(size / 2, Math.ceil((hertz * size) / sampleRate));
  const bands = BAND_EDGES.slice(1).map((edge, band) => ({ from: toBin(BAND_EDGES[band]), to: toBin(edge) }));
  const factors = new Float32Array(size / 2 + 1);
  return {
    size,
    hop: size / 4,
    window: Float32Array.from({ length: size }, (_, n) => Math.sin((Math.PI * n) / size)),
    toChange(samples, seconds) {
      const chip = Math.max(0, Math.floor(seconds / CHIP_SECONDS));
      transform(samples);
      for (const [band, range] of bands.entries()) {
        if (range.to <= range.from) continue;
        const decibels = strengthOf(samples, range) * (gains[chip * BANDS + band] ?? 0);
        factors.fill(10 ** (decibels / 20) - 1, range.from, range.to);
      }
      // The transform of conjugate values gives the conjugate of the inverse transform.
      applyFactors(samples, factors);
      transform(samples);
      for (let n = 0; n < size; n++) samples.im[n] = -(samples.im[n] ?? 0);
    },
  };
}

/** Multiplies each bin by its factor. Scales and conjugates the bins too, for the inverse transform and the windows. */
function applyFactors({ re, im }: Complex, factors: Float32Array): void {
  const size = re.length;
  for (let bin = 0; bin < size; bin++) {
    const factor = (factors[Math.min(bin, size - bin)] ?? 0) / (2 * size);
    re[bin] = (re[bin] ?? 0) * factor;
    im[bin] = -(im[bin] ?? 0) * factor;
  }
}

/** Returns the strength in dB. Tones hide a change less well than noise does. */
function strengthOf({ re, im }: Complex, { from, to }: { from: number; to: number }): number {
  const size = re.length;
  let sum = 0;
  let logs = 0;
  for (let bin = from; bin < to; bin++) {
    const mirror = size - bin;
    const power = (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2 + (re[mirror] ?? 0) ** 2 + (im[mirror] ?? 0) ** 2;
    sum += power + 1e-12;
    logs += Math.log10(power + 1e-12);
  }
  const count = to - from;
  const flatness = 10 * (Math.log10(sum / count) - logs / count) - NOISE_FLATNESS;
  const tonal = Math.max(0, Math.min(1, flatness / TONAL));
  return NOISE_DECIBELS + (TONE_DECIBELS - NOISE_DECIBELS) * tonal;
}
