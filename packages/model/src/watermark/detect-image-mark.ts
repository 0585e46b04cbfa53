import { findGeometries, REFINED } from './find-geometries.js';
import { CODE_BITS, decodePayload, encodePayload, PAYLOAD_BITS } from './payload-code.js';
import { type Geometry, readSoftBits } from './placement.js';
import { type MarkRaster, toPlane } from './plane.js';
import { toSpectrum } from './spectrum.js';

/** Largest probability that the detector finds a payload in a picture without a mark. */
const FALSE_POSITIVE_RATE = 1e-6;

/**
 * The smallest correlation that counts. With random signs of the soft bits, the correlation `z` with one code word
 * has P(z >= t) <= exp(-t^2 / 2) (Hoeffding's inequality). The union over 2^64 payloads and 8 places gives the bound.
 */
const SMALLEST_SCORE = Math.sqrt(
  2 * (PAYLOAD_BITS * Math.LN2 + Math.log(REFINED) - Math.log(FALSE_POSITIVE_RATE)),
);

export interface ImageMark {
  /** The 64 bits. */
  payload: bigint;
  /** Correlation of the payload's code with the picture, in standard deviations of an unmarked picture. */
  score: number;
  /** Bound for the probability of such a score in a picture without a mark; it is at most 1e-6. */
  falsePositiveRate: number;
  /** Rotation of the picture since the marking, in degrees. */
  rotationDegrees: number;
}

/** Returns the mark that a picture carries, without the original picture; undefined if it has none. */
export function detectImageMark(raster: MarkRaster): ImageMark | undefined {
  const spectrum = toSpectrum(toPlane(raster));
  for (const geometry of findGeometries(spectrum)) {
    const mark = readMark(readSoftBits(spectrum, geometry), geometry);
    if (mark.score >= SMALLEST_SCORE) return mark;
  }
  return undefined;
}

function readMark(soft: Float32Array, { angle }: Geometry): ImageMark {
  const payload = decodePayload(soft);
  const signs = encodePayload(payload);
  let sum = 0;
  let norm = 1e-9;
  for (let bit = 0; bit < CODE_BITS; bit++) {
    sum += (signs[bit] ?? 0) * (soft[bit] ?? 0);
    norm += (soft[bit] ?? 0) ** 2;
  }
  const score = sum / Math.sqrt(norm);
  const bound = Math.exp(PAYLOAD_BITS * Math.LN2 + Math.log(REFINED) - score ** 2 / 2);
  return { payload, score, falsePositiveRate: Math.min(1, bound), rotationDegrees: (angle * 180) / Math.PI };
}
