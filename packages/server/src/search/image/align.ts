import { dot } from '../vector.js';
import { highPass } from './high-pass.js';
import { EDGE } from './raster.js';

/** Sides of the compared squares: `COARSE` for the many first positions, `FINE` for the best of them. */
const COARSE = 16;
const FINE = 32;
const KEPT = 3;

/** The position of a part in a raster: its centre and its two sides as vectors, in pixels. */
interface AlignPosition {
  centreX: number;
  centreY: number;
  acrossX: number;
  acrossY: number;
  downX: number;
  downY: number;
}

const PARAMETERS = ['centreX', 'centreY', 'acrossX', 'downY', 'acrossY', 'downX'] as const;
/** Step sizes of the search for a better position, in pixels. */
const STEPS = [3, 3, 1.5, 1.5, 0.75, 0.4];

/**
 * Returns how well two pictures match when one is a part of the other (cropped, slightly tilted or stretched), from -1
 * to 1. `a` and `b`: brightness, row by row.
 */
export function alignment(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [one, other] = [toSurface(a), toSurface(b)];
  const tried = [...fits(one, other), ...fits(other, one)].sort((x, y) => y.score - x.score);
  return Math.max(...tried.slice(0, KEPT).map((start) => scoreFinely(start, climb(start))));
}

interface Surface {
  luma: Float32Array;
  detail: Float32Array;
}

function toSurface(luma: ArrayLike<number>): Surface {
  return { luma: Float32Array.from(luma), detail: highPass(luma) };
}

interface Fit {
  place: AlignPosition;
  part: Surface;
  whole: Surface;
  score: number;
}

function fits(part: Surface, whole: Surface): Fit[] {
  const target = patch(whole.detail, WHOLE, COARSE);
  return PLACES.map((place) => ({
    place,
    part,
    whole,
    score: dot(patch(part.detail, place, COARSE), target),
  }));
}

/** Improves a position: tries each step once with each parameter, in both directions. */
function climb({ place: start, part, whole }: Fit): AlignPosition {
  const target = patch(whole.detail, WHOLE, FINE);
  const scoreOf = (place: AlignPosition) => dot(patch(part.detail, place, FINE), target);
  let place = start;
  let best = scoreOf(place);
  for (const step of STEPS) {
    for (const parameter of PARAMETERS) {
      for (const change of [step, -step]) {
        const next = { ...place, [parameter]: place[parameter] + change };
        const score = reaches(next) ? scoreOf(next) : -1;
        if (score > best) [place, best] = [next, score];
      }
    }
  }
  return place;
}

/** Cuts out the part before the high pass, so that the pixels around it have no effect. */
function scoreFinely({ part, whole }: Fit, place: AlignPosition): number {
  const cut = highPass(valuesAt(part.luma, place, EDGE));
  return dot(patch(cut, WHOLE, FINE), patch(whole.detail, WHOLE, FINE));
}

/** Whether an edit could have cut out the part: it is large enough and inside the raster. */
function reaches({ centreX, centreY, acrossX, acrossY, downX, downY }: AlignPosition): boolean {
  const halfWidth = (Math.abs(acrossX) + Math.abs(downX)) / 2;
  const halfHeight = (Math.abs(acrossY) + Math.abs(downY)) / 2;
  const slack = 1;
  return (
    Math.min(acrossX, downY) >= EDGE * 0.66 &&
    centreX - halfWidth >= -slack &&
    centreY - halfHeight >= -slack &&
    centreX + halfWidth <= EDGE + slack &&
    centreY + halfHeight <= EDGE + slack
  );
}

/** Returns the part as a square with mean zero and length one. */
function patch(image: Float32Array, place: AlignPosition, edge: number): Float32Array {
  const values = valuesAt(image, place, edge);
  return toUnit(values, values.reduce((sum, value) => sum + value, 0) / values.length);
}

function valuesAt(image: Float32Array, place: AlignPosition, edge: number): Float32Array {
  const values = new Float32Array(edge * edge);
  for (let row = 0; row < edge; row++) {
    const down = (row + 0.5) / edge - 0.5;
    for (let column = 0; column < edge; column++) {
      const across = (column + 0.5) / edge - 0.5;
      const x = place.centreX + across * place.acrossX + down * place.downX - 0.5;
      const y = place.centreY + across * place.acrossY + down * place.downY - 0.5;
      values[row * edge + column] = sample(image, x, y);
    }
  }
  return values;
}

function toUnit(values: Float32Array, mean: number): Float32Array {
  let energy = 0;
  for (let index = 0; index < values.length; index++) {
    const value = (values[index] ?? 0) - mean;
    values[index] = value;
    energy += value * value;
  }
  const length = Math.sqrt(energy);
  if (length === 0) return values;
  for (let index = 0; index < values.length; index++) values[index] = (values[index] ?? 0) / length;
  return values;
}

/** Interpolates. Outside the picture, the nearest pixels at its edge count. */
function sample(image: Float32Array, x: number, y: number): number {
  const left = Math.max(0, Math.min(EDGE - 2, Math.floor(x)));
  const top = Math.max(0, Math.min(EDGE - 2, Math.floor(y)));
  const right = Math.max(0, Math.min(1, x - left));
  const low = Math.max(0, Math.min(1, y - top));
  const at = top * EDGE + left;
  const upper = (image[at] ?? 0) * (1 - right) + (image[at + 1] ?? 0) * right;
  const lower = (image[at + EDGE] ?? 0) * (1 - right) + (image[at + EDGE + 1] ?? 0) * right;
  return upper * (1 - low) + lower * low;
}

const WHOLE: AlignPosition = upright([EDGE / 2, EDGE / 2], [EDGE, EDGE]);
const PLACES: readonly AlignPosition[] = [...uprightPlaces(), ...tiltedPlaces()];

function upright([centreX, centreY]: [number, number], [width, height]: [number, number]): AlignPosition {
  return { centreX, centreY, acrossX: width, acrossY: 0, downX: 0, downY: height };
}

/** Lists parts of 100 % down to 75 % of each side, at its beginning, middle or end. */
function uprightPlaces(): AlignPosition[] {
  const sides = [1, 0.95, 0.9, 0.85, 0.8, 0.75].map((share) => share * EDGE);
  const centres = (side: number) => (side === EDGE ? [EDGE / 2] : [side / 2, EDGE / 2, EDGE - side / 2]);
  return sides.flatMap((width) =>
    sides
      .filter((height) => Math.abs(width - height) <= 0.11 * EDGE)
      .flatMap((height) =>
        centres(width).flatMap((x) => centres(height).map((y) => upright([x, y], [width, height]))),
      ),
  );
}

/** Lists parts around the middle, tilted by up to 5 degrees. */
function tiltedPlaces(): AlignPosition[] {
  const tilts = [-5, -3, -1.5, 1.5, 3, 5].map((degrees) => Math.tan((degrees / 180) * Math.PI));
  return [0.98, 0.93, 0.88, 0.83].flatMap((share) =>
    tilts.map((tilt) => {
      const side = share * EDGE;
      const lean = tilt * side;
      return { ...upright([EDGE / 2, EDGE / 2], [side, side]), acrossY: lean, downX: -lean };
    }),
  );
}
