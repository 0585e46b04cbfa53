import { CARRIERS, DATA_WAVES, TILE, WAVES } from './carriers.js';
import { agreement, findShift, type Geometry, readWaves } from './placement.js';
import { COLUMNS, SIZE, type Spectrum } from './spectrum.js';

/** Limits of the search for the scale: the square root of the area of the analysed picture, in canonical pixels. */
const SMALLEST = 200;
const LARGEST = 1150;
const SCALE_STEP = 0.006;
/** Largest rotation in the search, in radians. */
const WIDEST = (7 * Math.PI) / 180;
/** Number of angles in the search. */
const ANGLES = 41;
const UPRIGHT = (ANGLES - 1) / 2;
/**
 * Number of pairs of scale and rotation for which the search finds the shift. In addition, it finds the shift for every
 * scale without rotation.
 */
const EXAMINED = 160;
/** Number of the best geometries that `refine` improves. */
export const REFINED = 16;

interface Place {
  scale: number;
  angle: number;
}

/**
 * Square root of the area of a marked picture, in canonical pixels: for large pictures, then for small ones.
 */
export const ROOTS = [1024, 720];

/** Returns the geometries of a picture that is neither cropped nor rotated. */
export function wholeGeometries(spectrum: Spectrum): Geometry[] {
  const root = Math.sqrt(spectrum.width * spectrum.height);
  return ROOTS.map((side) => refine(spectrum, { scale: side / root, angle: 0, shiftX: 0, shiftY: 0 }));
}

/** Returns the geometries at which a mark is most likely, the best one first; at most 16. */
export function findGeometries(spectrum: Spectrum): Geometry[] {
  const places = findPlaces(spectrum).map((place) => {
    const geometry = { ...place, shiftX: 0, shiftY: 0 };
    return { ...geometry, ...findShift(readWaves(spectrum, geometry, DATA_WAVES)) };
  });
  places.sort((a, b) => b.score - a.score);
  return places.slice(0, REFINED).map((place) => refine(spectrum, place));
}

/**
 * Returns the scales and angles to examine: all scales without rotation, and the rotations with the most power at the
 * known waves. Most pictures are cropped, but not rotated, so the search examines every scale without rotation. The
 * power does not depend on the shift, so the function needs no shift.
 */
function findPlaces(spectrum: Spectrum): Place[] {
  const power = toPower(spectrum);
  const root = Math.sqrt(spectrum.width * spectrum.height);
  const scales = Math.floor(Math.log(LARGEST / SMALLEST) / SCALE_STEP) + 1;
  const scores = new Float32Array(scales * ANGLES);
  const place = (index: number): Place => ({
    scale: (SMALLEST / root) * Math.exp(Math.floor(index / ANGLES) * SCALE_STEP),
    angle: ((index % ANGLES) / (ANGLES - 1) - 0.5) * 2 * WIDEST,
  });
  for (let index = 0; index < scores.length; index++) scores[index] = sumPower(power, place(index));
  const indices = Array.from(scores.keys());
  const upright = indices.filter((index) => index % ANGLES === UPRIGHT);
  const rotated = indices.filter((index) => index % ANGLES !== UPRIGHT && isPeak(scores, index));
  rotated.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  return [...upright, ...rotated.slice(0, EXAMINED)].map(place);
}

function isPeak(scores: Float32Array, index: number): boolean {
  const here = scores[index] ?? 0;
  const isFirst = index % ANGLES === 0;
  const isLast = index % ANGLES === ANGLES - 1;
  return (
    (isFirst || here > (scores[index - 1] ?? 0)) &&
    (isLast || here >= (scores[index + 1] ?? 0)) &&
    here > (scores[index - ANGLES] ?? Number.NEGATIVE_INFINITY) &&
    here >= (scores[index + ANGLES] ?? Number.NEGATIVE_INFINITY)
  );
}

/** The power that a byte with the value 1 represents in the power map. */
const POWER_STEP = 1 / 32;

/** Returns the power as bytes, so that the map fits into the cache of a processor. */
function toPower({ re, im }: Spectrum): Uint8Array {
  const power = new Uint8Array(re.length);
  for (let index = 0; index < power.length; index++) {
    const value = (re[index] ?? 0) * (re[index] ?? 0) + (im[index] ?? 0) * (im[index] ?? 0);
    power[index] = Math.min(192, value / POWER_STEP);
  }
  return power;
}

function sumPower(power: Uint8Array, { scale, angle }: Place): number {
  const cos = (Math.cos(angle) * scale * SIZE) / TILE;
  const sin = (Math.sin(angle) * scale * SIZE) / TILE;
  let sum = 0;
  let count = 1;
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const u = CARRIERS.u[k] ?? 0;
    const v = CARRIERS.v[k] ?? 0;
    let x = cos * u + sin * v;
    let y = cos * v - sin * u;
    if (x < 0) {
      x = -x;
      y = -y;
    }
    // `| 0` truncates a positive number, so add 0.5 to round it. `y` can be negative, so also add SIZE to it.
    const column = (x + 0.5) | 0;
    const row = (y + (SIZE + 0.5)) | 0;
    if (column >= COLUMNS || row >= (3 * SIZE) / 2 || row <= SIZE / 2) continue;
    sum += power[column * SIZE + (row & (SIZE - 1))] ?? 0;
    count++;
  }
  return (sum * POWER_STEP - count) / Math.sqrt(count);
}

/** Improves the agreement of the known waves by hill climbing, with smaller and smaller steps. */
function refine(spectrum: Spectrum, start: Geometry): Geometry {
  let best = start;
  let score = agreement(spectrum, best);
  const steps = { scale: 0.003, angle: WIDEST / (ANGLES - 1), shift: 1 / 128 };
  for (let round = 0; round < 4; round++) {
    for (const next of neighbours(steps)) {
      const reached = agreement(spectrum, next(best));
      if (reached > score) {
        best = next(best);
        score = reached;
      }
    }
    if (round > 0) for (const key of ['scale', 'angle', 'shift'] as const) steps[key] /= 2;
  }
  return best;
}

function neighbours(steps: { scale: number; angle: number; shift: number }) {
  return [1, -1].flatMap((sign) => [
    (from: Geometry) => ({ ...from, shiftX: from.shiftX + sign * steps.shift }),
    (from: Geometry) => ({ ...from, shiftY: from.shiftY + sign * steps.shift }),
    (from: Geometry) => ({ ...from, scale: from.scale * (1 + sign * steps.scale) }),
    (from: Geometry) => ({ ...from, angle: from.angle + sign * steps.angle }),
  ]);
}
