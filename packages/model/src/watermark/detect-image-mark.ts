import { readChecked } from './checked-payload.js';
import { findGeometries, wholeGeometries } from './find-geometries.js';
import { decodePayload } from './payload-code.js';
import { type Geometry, readSoftBits } from './placement.js';
import { assertSize, type MarkRaster, toPlane } from './plane.js';
import { falsePositiveRate, scoreOf, smallestScore } from './score.js';
import { type Spectrum, toSpectrum } from './spectrum.js';

export interface ImageMark {
  /** The 48 bits. */
  payload: bigint;
  /**
   * Correlation of the payload's code with the picture. The unit is the standard deviation of this correlation in
   * unmarked pictures.
   */
  score: number;
  /** Upper bound for the probability that an unmarked picture reaches this score; at most 1e-6. */
  falsePositiveRate: number;
  /** Rotation of the picture since the marking, in degrees. */
  rotationDegrees: number;
}

/**
 * Returns the mark of a picture; undefined if the picture has no mark. The original picture is not needed. The mark
 * carries a payload. A mark does not prove an origin, because it can be copied to another picture.
 *
 * @throws RangeError if the picture has no pixels, or if the size of the data is not `width * height * channels`
 */
export function detectImageMark(raster: MarkRaster): ImageMark | undefined {
  assertSize(raster);
  const spectrum = toSpectrum(toPlane(raster));
  return readFirst(spectrum, wholeGeometries(spectrum)) ?? readFirst(spectrum, findGeometries(spectrum));
}

function readFirst(spectrum: Spectrum, geometries: Geometry[]): ImageMark | undefined {
  for (const geometry of geometries) {
    const soft = readSoftBits(spectrum, geometry);
    const bits = decodePayload(soft);
    const score = scoreOf(soft, bits);
    const payload = readChecked(bits);
    if (score < smallestScore || payload === undefined) continue;
    const rotationDegrees = (geometry.angle * 180) / Math.PI;
    return { payload, score, falsePositiveRate: falsePositiveRate(score), rotationDegrees };
  }
  return undefined;
}
