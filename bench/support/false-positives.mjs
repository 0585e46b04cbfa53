// Measures how close the scores of pictures without a mark come to the threshold of a detection.
import sharp from 'sharp';
import { readChecked } from '../../packages/model/dist/watermark/checked-payload.js';
import { findGeometries, wholeGeometries } from '../../packages/model/dist/watermark/find-geometries.js';
import { decodePayload } from '../../packages/model/dist/watermark/payload-code.js';
import { readSoftBits } from '../../packages/model/dist/watermark/placement.js';
import { toPlane } from '../../packages/model/dist/watermark/plane.js';
import { scoreOf, smallestScore } from '../../packages/model/dist/watermark/score.js';
import { toSpectrum } from '../../packages/model/dist/watermark/spectrum.js';
import { part } from './mark-attacks.mjs';
import { createNext } from './random.mjs';

/** Reads the payload at a place (scale, rotation and position), as the detector does. */
function readAt(spectrum, place) {
  const soft = readSoftBits(spectrum, place);
  const bits = decodePayload(soft);
  const score = scoreOf(soft, bits);
  return { score, reaches: score >= smallestScore, isValid: readChecked(bits) !== undefined };
}

/**
 * Reads crops of pictures without a mark at all places that the detector tries. `from`: the number of the first crop.
 * A detection needs a score above the threshold and a valid checksum at the same place. Also counts each condition
 * alone.
 */
export async function countFalsePositives(report, photos, { crops, from }) {
  report.section(`marking: ${crops} crops of ${photos.length} photographs without a mark`);
  const counts = { found: 0, reached: 0, valid: 0, places: 0, highest: 0 };
  for (let number = from; number < from + crops; number++) {
    const { data, info } = await photos[number % photos.length]();
    const share = 0.3 + 0.6 * ((number * 0.618) % 1);
    const image = sharp(data, { raw: info }).extract(part(info, share, number));
    const crop = await image.raw().toBuffer({ resolveWithObject: true });
    const spectrum = toSpectrum(toPlane({ ...crop.info, data: crop.data }));
    const places = [...wholeGeometries(spectrum), ...findGeometries(spectrum)];
    const read = places.map((place) => readAt(spectrum, place));
    if (read.some(({ reaches, isValid }) => reaches && isValid)) counts.found++;
    if (read.some(({ reaches }) => reaches)) counts.reached++;
    counts.valid += read.filter(({ isValid }) => isValid).length;
    counts.places += read.length;
    counts.highest = Math.max(counts.highest, ...read.map(({ score }) => score));
  }
  report.figure('marks found in pictures without a mark', counts.found, { target: { atMost: 0 } });
  report.note(
    `crops with a score above ${smallestScore.toFixed(2)}: ${counts.reached}, highest ${counts.highest.toFixed(2)}`,
  );
  report.note(`places: ${counts.places}, with a valid checksum: ${counts.valid}`);
}

/** Reads a payload at random places of pictures without a mark, as the detector does at the likeliest places. */
export async function readAnywhere(report, photos, places) {
  report.section(`marking: ${places} places in ${photos.length} photographs without a mark`);
  const next = createNext(places, 0x706c6163);
  const counts = { found: 0, highest: 0 };
  for (const make of photos) {
    const { data, info } = await make();
    const spectrum = toSpectrum(toPlane({ ...info, data }));
    for (let number = 0; number < places / photos.length; number++) {
      const scale = (200 * Math.exp(1.7 * next())) / Math.sqrt(spectrum.width * spectrum.height);
      const place = { scale, angle: 0.24 * (next() - 0.5), shiftX: next(), shiftY: next() };
      const { score, reaches, isValid } = readAt(spectrum, place);
      if (reaches && isValid) counts.found++;
      if (score > counts.highest) counts.highest = score;
    }
  }
  report.figure('places with a valid payload', counts.found, { target: { atMost: 0 } });
  report.note(`highest score ${counts.highest.toFixed(2)}, threshold ${smallestScore.toFixed(2)}`);
}
