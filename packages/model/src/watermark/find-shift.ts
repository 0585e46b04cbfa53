import { CARRIERS, DATA_WAVES, WAVES } from './carriers.js';
import type { Waves } from './placement.js';

/** Compared shifts per axis. */
const GRID = 64;
const QUARTER = GRID / 4;
/** Each known wave has fewer than 16 periods down the tile. */
const ROWS = 16;
/** Multiples of 1/64 turn. */
const COS = Float64Array.from({ length: GRID }, (_, at) => Math.cos((2 * Math.PI * at) / GRID));
const SIN = Float64Array.from({ length: GRID }, (_, at) => Math.sin((2 * Math.PI * at) / GRID));
/** Less than 1, so that a rounding error in the bound of `improve` never excludes a better value. */
const SAFE = 1 - 1e-9;

/** A shift in tiles. `score`: agreement of the known waves. */
export interface Shift {
  shiftX: number;
  shiftY: number;
  score: number;
}

interface Values {
  re: Float64Array;
  im: Float64Array;
}

const createValues = (length: number): Values => ({
  re: new Float64Array(length),
  im: new Float64Array(length),
});

/** Steps of 1/64 tile. Undefined if no shift has a score above `floor`. The calls share their arrays. */
export function createShiftSearch(): (waves: Waves, floor: number) => Shift | undefined {
  const rows = createValues(ROWS * GRID);
  const column = createValues(GRID);
  return (waves, floor) => {
    const unit = Math.sqrt(normOf(waves) / 2);
    transformRows(waves, rows);
    const best = { at: -1, value: floor * unit };
    for (let x = 0; x < GRID; x++) {
      transformColumn(rows, x, column);
      improve(best, column, x);
    }
    if (best.at < 0) return undefined;
    return {
      shiftX: Math.floor(best.at / GRID) / GRID,
      shiftY: (best.at % GRID) / GRID,
      score: best.value / unit,
    };
  };
}

function normOf({ re, im }: Waves): number {
  let norm = 1e-9;
  for (let k = DATA_WAVES; k < WAVES; k++) norm += (re[k] ?? 0) * (re[k] ?? 0) + (im[k] ?? 0) * (im[k] ?? 0);
  return norm;
}

/**
 * Transforms the known waves along `u`: one row of shifts for each `v`. A row has about five waves, so they are added
 * one by one. Waves with the same `u` modulo 4 are added for one quarter only, because each turns by `u` quarter turns
 * from one quarter to the next.
 */
function transformRows(waves: Waves, { re, im }: Values): void {
  re.fill(0);
  im.fill(0);
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const u = CARRIERS.u[k] ?? 0;
    const real = waves.re[k] ?? 0;
    const imaginary = waves.im[k] ?? 0;
    const start = (CARRIERS.v[k] ?? 0) * GRID + (u & 3) * QUARTER;
    for (let x = 0; x < QUARTER; x++) {
      const c = COS[(u * x) & (GRID - 1)] ?? 0;
      const s = SIN[(u * x) & (GRID - 1)] ?? 0;
      re[start + x] = (re[start + x] ?? 0) + real * c + imaginary * s;
      im[start + x] = (im[start + x] ?? 0) + imaginary * c - real * s;
    }
  }
  for (let row = 0; row < ROWS * GRID; row += GRID) {
    for (let x = row; x < row + QUARTER; x++) transformFour({ re, im }, x, QUARTER);
  }
}

/** Discrete Fourier transform of the four values at `a`, `a + distance`, ... */
function transformFour({ re, im }: Values, a: number, distance: number): void {
  const b = a + distance;
  const c = b + distance;
  const d = c + distance;
  const evenSumRe = (re[a] ?? 0) + (re[c] ?? 0);
  const evenSumIm = (im[a] ?? 0) + (im[c] ?? 0);
  const evenDiffRe = (re[a] ?? 0) - (re[c] ?? 0);
  const evenDiffIm = (im[a] ?? 0) - (im[c] ?? 0);
  const oddSumRe = (re[b] ?? 0) + (re[d] ?? 0);
  const oddSumIm = (im[b] ?? 0) + (im[d] ?? 0);
  const oddDiffRe = (re[b] ?? 0) - (re[d] ?? 0);
  const oddDiffIm = (im[b] ?? 0) - (im[d] ?? 0);
  re[a] = evenSumRe + oddSumRe;
  im[a] = evenSumIm + oddSumIm;
  re[b] = evenDiffRe + oddDiffIm;
  im[b] = evenDiffIm - oddDiffRe;
  re[c] = evenSumRe - oddSumRe;
  im[c] = evenSumIm - oddSumIm;
  re[d] = evenDiffRe - oddDiffIm;
  im[d] = evenDiffIm + oddDiffRe;
}

/** A separate transform of 16 values for each remainder of `v` modulo 4. Only four of these values differ from zero. */
function transformColumn(rows: Values, x: number, { re, im }: Values): void {
  for (let rest = 0; rest < 4; rest++) {
    const row = rest * GRID + x;
    const ar = rows.re[row] ?? 0;
    const ai = rows.im[row] ?? 0;
    const br = rows.re[row + 4 * GRID] ?? 0;
    const bi = rows.im[row + 4 * GRID] ?? 0;
    const cr = rows.re[row + 8 * GRID] ?? 0;
    const ci = rows.im[row + 8 * GRID] ?? 0;
    const dr = rows.re[row + 12 * GRID] ?? 0;
    const di = rows.im[row + 12 * GRID] ?? 0;
    for (let y = 0; y < 4; y++) {
      const cosB = COS[4 * y] ?? 0;
      const sinB = SIN[4 * y] ?? 0;
      const cosC = COS[8 * y] ?? 0;
      const sinC = SIN[8 * y] ?? 0;
      const cosD = COS[12 * y] ?? 0;
      const sinD = SIN[12 * y] ?? 0;
      const at = rest * QUARTER + y;
      re[at] = ar;
      im[at] = ai;
      re[at + 4] = br * cosB + bi * sinB;
      im[at + 4] = bi * cosB - br * sinB;
      re[at + 8] = cr * cosC + ci * sinC;
      im[at + 8] = ci * cosC - cr * sinC;
      re[at + 12] = dr * cosD + di * sinD;
      im[at + 12] = di * cosD - dr * sinD;
      transformFour({ re, im }, at, 4);
    }
  }
}

/**
 * The values of a group are sums of the same four parts with different phases. By the Cauchy-Schwarz inequality, the
 * square of a value is at most four times the sum of the squares of the parts, so groups that cannot exceed `best` are
 * skipped.
 */
function improve(best: { at: number; value: number }, { re, im }: Values, x: number): void {
  for (let y = 0; y < QUARTER; y++) {
    let power = 0;
    for (let at = y; at < GRID; at += QUARTER) {
      power += (re[at] ?? 0) * (re[at] ?? 0) + (im[at] ?? 0) * (im[at] ?? 0);
    }
    if (best.value > 0 && 4 * power < best.value * best.value * SAFE) continue;
    for (let shift = y; shift < GRID; shift += QUARTER) {
      let value = 0;
      for (let rest = 0; rest < 4; rest++) {
        const turn = (rest * shift) & (GRID - 1);
        const at = rest * QUARTER + y;
        value += (re[at] ?? 0) * (COS[turn] ?? 0) + (im[at] ?? 0) * (SIN[turn] ?? 0);
      }
      if (value <= best.value) continue;
      best.at = x * GRID + shift;
      best.value = value;
    }
  }
}
