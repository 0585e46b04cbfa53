import { CARRIERS, DATA_WAVES, TILE, WAVES } from './carriers.js';
import { createShiftSearch } from './find-shift.js';
import {
  agreement,
  createPhaseReader,
  createPhases,
  createWaves,
  type Geometry,
  readKnownWaves,
} from './placement.js';
import { COLUMNS, LARGEST_ROOT, SIZE, type Spectrum } from './spectrum.js';

/** Lower limit of the search for the scale: root of the area of the analysed picture, in canonical pixels. */
const SMALLEST = 200;
const SCALE_STEP = 0.006;
/** Largest rotation, in radians. */
const WIDEST = (7 * Math.PI) / 180;
const ANGLES = 41;
const UPRIGHT = (ANGLES - 1) / 2;
/** Pairs of scale and rotation for which the search finds the shift, besides every scale without rotation. */
const EXAMINED = 160;
/** Best geometries that the refinement improves. */
export const REFINED = 16;

interface Place {
  scale: number;
  angle: number;
}

/** Root of the area of a marked picture, in canonical pixels: of large pictures, then of small ones. */
export const ROOTS = [1024, 720];

/** The picture is neither cropped nor rotated. */
export function wholeGeometries(spectrum: Spectrum): Geometry[] {
  const root = Math.sqrt(spectrum.width * spectrum.height);
  const refine = createRefinement(spectrum);
  return ROOTS.map((side) => refine({ scale: side / root, angle: 0, shiftX: 0, shiftY: 0 }));
}

/** Returns at most 16 geometries, in the order of their scores before the refinement. */
export function findGeometries(spectrum: Spectrum): Geometry[] {
  const findShift = createShiftSearch();
  const waves = createWaves();
  const best: (Geometry & { score: number })[] = [];
  for (const place of findPlaces(spectrum)) {
    const geometry = { ...place, shiftX: 0, shiftY: 0 };
    const floor = best[REFINED - 1]?.score ?? Number.NEGATIVE_INFINITY;
    readKnownWaves(spectrum, geometry, waves);
    const shift = findShift(waves, floor);
    if (shift === undefined) continue;
    best.push({ ...geometry, ...shift });
    best.sort((a, b) => b.score - a.score);
    best.length = Math.min(best.length, REFINED);
  }
  return best.map(createRefinement(spectrum));
}

/**
 * Most pictures are cropped but not rotated, so all scales without rotation come first. The pairs in which the known
 * waves have the most power follow. The power does not depend on the shift.
 */
function findPlaces(spectrum: Spectrum): Place[] {
  const power = toPower(spectrum);
  const root = Math.sqrt(spectrum.width * spectrum.height);
  const scales = Math.floor(Math.log(LARGEST_ROOT / SMALLEST) / SCALE_STEP) + 1;
  const scores = new Float32Array(scales * ANGLES);
  const place = (index: number): Place => ({
    scale: (SMALLEST / root) * Math.exp(Math.floor(index / ANGLES) * SCALE_STEP),
    angle: ((index % ANGLES) / (ANGLES - 1) - 0.5) * 2 * WIDEST,
  });
  for (let angle = 0; angle < ANGLES; angle++) {
    const directions = directionsAt(place(angle).angle);
    for (let index = angle; index < scores.length; index += ANGLES) {
      scores[index] = sumPower(power, directions, (place(index).scale * SIZE) / TILE);
    }
  }
  const upright: number[] = [];
  const rotated: number[] = [];
  for (let index = 0; index < scores.length; index++) {
    if (index % ANGLES === UPRIGHT) upright.push(index);
    else if (isPeak(scores, index)) rotated.push(index);
  }
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

/** The power of the byte value 1. */
const POWER_STEP = 1 / 32;

/** Bytes, so that the map fits into the cache of a processor. */
function toPower({ re, im }: Spectrum): Uint8Array {
  const power = new Uint8Array(re.length);
  for (let index = 0; index < power.length; index++) {
    const value = (re[index] ?? 0) * (re[index] ?? 0) + (im[index] ?? 0) * (im[index] ?? 0);
    power[index] = Math.min(192, value / POWER_STEP);
  }
  return power;
}

/** The directions of the known waves, in periods per tile side. `x` is not negative. */
interface Directions {
  x: Float64Array;
  y: Float64Array;
}

function directionsAt(angle: number): Directions {
  const directions = { x: new Float64Array(WAVES - DATA_WAVES), y: new Float64Array(WAVES - DATA_WAVES) };
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const u = CARRIERS.u[k] ?? 0;
    const v = CARRIERS.v[k] ?? 0;
    const sign = cos * u + sin * v < 0 ? -1 : 1;
    directions.x[k - DATA_WAVES] = sign * (cos * u + sin * v);
    directions.y[k - DATA_WAVES] = sign * (cos * v - sin * u);
  }
  return directions;
}

/** Returns the sum of the power in standard deviations. `scale`: grid points for one period per tile side. */
function sumPower(power: Uint8Array, { x, y }: Directions, scale: number): number {
  let sum = 0;
  let count = 1;
  for (let k = 0; k < x.length; k++) {
    // `| 0` truncates, so add 0.5 to round. `y` can be negative, so also add SIZE.
    const column = ((x[k] ?? 0) * scale + 0.5) | 0;
    const row = ((y[k] ?? 0) * scale + (SIZE + 0.5)) | 0;
    if (column >= COLUMNS || row >= (3 * SIZE) / 2 || row <= SIZE / 2) continue;
    sum += power[column * SIZE + (row & (SIZE - 1))] ?? 0;
    count++;
  }
  return (sum * POWER_STEP - count) / Math.sqrt(count);
}

/**
 * Hill climbing with smaller and smaller steps. The waves do not depend on the shift, and the phases only on the shift,
 * so a step computes only one of them. The calls share their arrays.
 */
function createRefinement(spectrum: Spectrum): (start: Geometry) => Geometry {
  const readPhases = createPhaseReader();
  let [waves, spareWaves] = [createWaves(), createWaves()];
  let [phases, sparePhases] = [createPhases(), createPhases()];
  return (start) => {
    let best = start;
    readKnownWaves(spectrum, best, waves);
    readPhases(best, phases);
    let score = agreement(waves, phases);
    const steps = { scale: 0.003, angle: WIDEST / (ANGLES - 1), shift: 1 / 128 };
    for (let round = 0; round < 4; round++) {
      for (const { isShift, move } of neighbours(steps)) {
        const next = move(best);
        if (isShift) readPhases(next, sparePhases);
        else readKnownWaves(spectrum, next, spareWaves);
        const reached = isShift ? agreement(waves, sparePhases) : agreement(spareWaves, phases);
        if (reached <= score) continue;
        best = next;
        score = reached;
        if (isShift) [phases, sparePhases] = [sparePhases, phases];
        else [waves, spareWaves] = [spareWaves, waves];
      }
      if (round > 0) for (const key of ['scale', 'angle', 'shift'] as const) steps[key] /= 2;
    }
    return best;
  };
}

function neighbours(steps: { scale: number; angle: number; shift: number }) {
  const shift = (move: (from: Geometry) => Geometry) => ({ isShift: true, move });
  const turn = (move: (from: Geometry) => Geometry) => ({ isShift: false, move });
  return [1, -1].flatMap((sign) => [
    shift((from) => ({ ...from, shiftX: from.shiftX + sign * steps.shift })),
    shift((from) => ({ ...from, shiftY: from.shiftY + sign * steps.shift })),
    turn((from) => ({ ...from, scale: from.scale * (1 + sign * steps.scale) })),
    turn((from) => ({ ...from, angle: from.angle + sign * steps.angle })),
  ]);
}
