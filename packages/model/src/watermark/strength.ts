import type { Plane } from './plane.js';
import { QUIET, toTexture } from './spectrum.js';

/** Root mean square of the mark in a picture of usual texture, in grey levels. It gives a PSNR of 42 dB. */
export const USUAL_LEVEL = 2;
/** Mean local contrast of usual texture, in grey levels. */
const USUAL_TEXTURE = 20;
/** The level of the whole mark grows with this power of the mean texture. */
const WHOLE_EXPONENT = 0.6;
/** The level at each pixel grows with this power of the local texture. */
const PART_EXPONENT = 0.25;
/** Limits of the level of the whole mark, relative to `USUAL_LEVEL`. */
const LEAST = 0.6;
const MOST = 1.6;

/**
 * Returns the factor of the mark at each pixel, around 1. Texture hides a mark, so the factor is larger where the
 * picture has more texture. For a video, pass several frames of the same size: their mean texture counts. `factor`
 * multiplies the level of the mark, up to the maximum level.
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
