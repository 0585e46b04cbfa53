import type { Plane } from './plane.js';
import { QUIET, toTexture } from './spectrum.js';

/** Root mean square of the mark in usual texture, in grey levels: a PSNR of 42 dB. */
export const USUAL_LEVEL = 2;
/** Mean local contrast, in grey levels. */
const USUAL_TEXTURE = 20;
/** Exponent of the mean texture in the level of the whole mark. */
const WHOLE_EXPONENT = 0.6;
/** Exponent of the local texture in the level at each pixel. */
const PART_EXPONENT = 0.25;
/** Relative to `USUAL_LEVEL`. */
const LEAST = 0.6;
const MOST = 1.6;

/**
 * Returns the factor of the mark at each pixel, around 1. Texture hides a mark. Of several frames of a video, the mean
 * texture counts. `factor` multiplies the level, up to the maximum.
 */
export function toStrength(planes: readonly Plane[], factor = 1): Float32Array {
  const contrast = meanContrast(planes);
  const strength = contrast.map((value) => ((value + QUIET) / QUIET) ** PART_EXPONENT);
  let squares = 0;
  let texture = 0;
  for (const value of strength) squares += value * value;
  for (const value of contrast) texture += value / contrast.length;
  const level = Math.min(MOST, factor * Math.max(LEAST, (texture / USUAL_TEXTURE) ** WHOLE_EXPONENT));
  const scale = level / Math.sqrt(squares / strength.length);
  return strength.map((value) => value * scale);
}

function meanContrast(planes: readonly Plane[]): Float32Array {
  const contrasts = planes.map((plane) => toTexture(plane).contrast);
  const [first = new Float32Array()] = contrasts;
  if (contrasts.length === 1) return first;
  const share = 1 / contrasts.length;
  return first.map((_, at) => contrasts.reduce((sum, contrast) => sum + share * (contrast[at] ?? 0), 0));
}
