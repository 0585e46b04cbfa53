import { LARGEST, TILE } from './carriers.js';
import { type Complex, createComplex, createSparseTransform, viewOf } from './fourier.js';
import { blur, createScratch, type Plane } from './plane.js';

/** The longest side of a plane is at most half of the transform. */
export const SIZE = 1024;
/** All frequencies from 0 to below the Nyquist frequency. */
export const COLUMNS = 512;
const transform = createSparseTransform(SIZE);

/**
 * The whitened spectrum of a picture with equalised local contrast. Column `x` and row `y` (modulo 1024) have the
 * frequencies `x / 1024` and `y / 1024`, in periods per pixel. The phase refers to the centre of the picture.
 */
export interface Spectrum extends Complex {
  width: number;
  height: number;
}

/** Relative to the longest side. */
const HIGH_PASS = 1 / 100;
/** Radius, relative to the longest side. */
const CONTRAST = 1 / 64;
/** Grey levels added to the local contrast, so that noise in plain areas is not amplified. */
export const QUIET = 1.5;

/** `detail`: each pixel minus its blurred surroundings. `contrast`: local root mean square of `detail`. */
export function toTexture(plane: Plane): { detail: Float32Array; contrast: Float32Array } {
  const longest = Math.max(plane.width, plane.height);
  const scratch = createScratch(plane.values.length);
  const smooth = blur(plane, Math.max(2, Math.round(longest * HIGH_PASS)), scratch).values;
  const detail = new Float32Array(smooth.length);
  const squares = new Float32Array(smooth.length);
  for (let at = 0; at < detail.length; at++) {
    const value = Math.fround((plane.values[at] ?? 0) - (smooth[at] ?? 0));
    detail[at] = value;
    squares[at] = value * value;
  }
  const radius = Math.max(2, Math.round(longest * CONTRAST));
  const contrast = blur({ ...plane, values: squares }, radius, scratch).values;
  for (let at = 0; at < contrast.length; at++) contrast[at] = Math.sqrt(Math.max(0, contrast[at] ?? 0));
  return { detail, contrast };
}

export function toSpectrum(plane: Plane): Spectrum {
  const { detail, contrast } = toTexture(plane);
  const flat = new Float32Array(detail.length);
  for (let at = 0; at < flat.length; at++) {
    const level = (detail[at] ?? 0) / ((contrast[at] ?? 0) + QUIET);
    flat[at] = Math.max(-2.5, Math.min(2.5, level));
  }
  const spectrum = transformPlane({ ...plane, values: flat });
  levelPower(spectrum);
  return { ...spectrum, width: plane.width, height: plane.height };
}

/** Upper limit of the search for the scale: root of the area of the analysed picture, in canonical pixels. */
export const LARGEST_ROOT = 1150;

/**
 * Columns that the detector can need: the refinement changes a scale by less than 1 %, and the blur in `levelPower`
 * needs 9 more cells.
 */
function countColumns({ width, height }: Plane): number {
  const perTile = (1.01 * LARGEST_ROOT * SIZE) / TILE / Math.sqrt(width * height);
  const cells = Math.ceil((LARGEST * perTile + 2) / CELL) + 3 * LEVEL_CELLS;
  return Math.min(COLUMNS, cells * CELL);
}

/** Rows of a block. `storeBlock` writes all rows of a block together. */
const BLOCK = 16;
/** If this were a power of two, it would map all lines of a block to the same part of the cache. */
const PITCH = SIZE + 16;

/**
 * The centre is at the origin. Two rows share one transform, because the spectrum of a real row is symmetric. At most
 * half of a row has pixels, so `createSparseTransform` applies.
 */
function transformPlane(plane: Plane): Complex {
  const count = countColumns(plane);
  const columns = createComplex(count * SIZE);
  const lines = createComplex((BLOCK / 2) * PITCH);
  const half = createComplex(SIZE / 2);
  for (let y = 0; y < plane.height; y += BLOCK) {
    for (let pair = 0; pair < BLOCK / 2; pair++) {
      loadRow(plane, y + 2 * pair, half.re);
      loadRow(plane, y + 2 * pair + 1, half.im);
      transform(half, viewOf(lines, pair * PITCH, SIZE));
    }
    storeBlock(lines, columns, { first: y, height: plane.height, count });
  }
  for (let x = 0; x < count; x++) {
    const column = viewOf(columns, x * SIZE, SIZE);
    half.re.set(column.re.subarray(0, SIZE / 2));
    half.im.set(column.im.subarray(0, SIZE / 2));
    transform(half, column);
  }
  return columns;
}

/** Position in a line of `createSparseTransform`. The pixel at `centre` has the position 0. */
const toPlace = (pixel: number, centre: number): number => (pixel - centre) & (SIZE / 2 - 1);

/** A row outside the plane has zeros. */
function loadRow({ width, height, values }: Plane, row: number, to: Float32Array): void {
  const right = width - (width >> 1);
  to.fill(0);
  if (row >= height) return;
  to.set(values.subarray(row * width + width - right, (row + 1) * width));
  to.set(values.subarray(row * width, row * width + width - right), SIZE / 2 - (width - right));
}

interface Block {
  first: number;
  /** The height of the plane. */
  height: number;
  count: number;
}

/** Separates the spectra of the rows, and writes them to the first half of each column. */
function storeBlock(lines: Complex, to: Complex, { first, height, count }: Block): void {
  // In a plane of odd height, the last row shares its transform with an empty row.
  const rows = Math.min(BLOCK, height + (height & 1) - first);
  for (let x = 0; x < count; x++) {
    const mirror = (SIZE - x) & (SIZE - 1);
    for (let row = 0; row < rows; row++) {
      const line = (row >> 1) * PITCH;
      const at = x * SIZE + toPlace(first + row, height >> 1);
      const ar = lines.re[line + x] ?? 0;
      const ai = lines.im[line + x] ?? 0;
      const br = lines.re[line + mirror] ?? 0;
      const bi = lines.im[line + mirror] ?? 0;
      const isSecond = (row & 1) === 1;
      to.re[at] = (isSecond ? ai + bi : ar + br) / 2;
      to.im[at] = (isSecond ? br - ar : ai - bi) / 2;
    }
  }
}

/** Side of the cells of `levelPower`, in grid points. */
const CELL = 4;
const LEVEL_CELLS = 3;
/** Limits the effect of regular patterns and of the edges of JPEG blocks. */
const CLIP = 3;

/** Divides each value by the root of the mean power around it, and limits the result. */
function levelPower(spectrum: Complex): void {
  const width = SIZE / CELL;
  const height = spectrum.re.length / SIZE / CELL;
  const mean = new Float32Array(width * height);
  for (let cell = 0; cell < mean.length; cell++) mean[cell] = meanPower(spectrum, cell);
  const level = blur({ width, height, values: mean }, LEVEL_CELLS).values;
  for (let cell = 0; cell < level.length; cell++) {
    scaleCell(spectrum, cell, 1 / Math.sqrt((level[cell] ?? 0) + 1e-9));
  }
}

const startOf = (cell: number): number =>
  Math.floor(cell / (SIZE / CELL)) * SIZE * CELL + (cell % (SIZE / CELL)) * CELL;

function meanPower({ re, im }: Complex, cell: number): number {
  const start = startOf(cell);
  let sum = 0;
  for (let column = start; column < start + CELL * SIZE; column += SIZE) {
    for (let at = column; at < column + CELL; at++) {
      const real = re[at] ?? 0;
      const imaginary = im[at] ?? 0;
      sum = Math.fround(sum + (real * real + imaginary * imaginary) / CELL ** 2);
    }
  }
  return sum;
}

function scaleCell({ re, im }: Complex, cell: number, scale: number): void {
  const start = startOf(cell);
  const factor = Math.fround(scale);
  for (let column = start; column < start + CELL * SIZE; column += SIZE) {
    for (let at = column; at < column + CELL; at++) {
      const real = (re[at] ?? 0) * factor;
      const imaginary = (im[at] ?? 0) * factor;
      const power = real * real + imaginary * imaginary;
      const limit = power > CLIP * CLIP ? CLIP / Math.sqrt(power) : 1;
      re[at] = real * limit;
      im[at] = imaginary * limit;
    }
  }
}

/** Writes real and imaginary part to `out`, with bilinear interpolation; 0 outside the spectrum. */
export function readSpectrum({ re, im }: Spectrum, at: { x: number; y: number }, out: Float32Array): void {
  const isMirrored = at.x < 0;
  const x = isMirrored ? -at.x : at.x;
  const y = isMirrored ? -at.y : at.y;
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (column >= COLUMNS - 1 || Math.abs(y) > SIZE / 2 - 2) {
    out[0] = 0;
    out[1] = 0;
    return;
  }
  const dx = x - column;
  const dy = y - row;
  const a = column * SIZE + ((row + SIZE) & (SIZE - 1));
  const b = column * SIZE + ((row + 1 + SIZE) & (SIZE - 1));
  const wa = (1 - dx) * (1 - dy);
  const wb = (1 - dx) * dy;
  const wc = dx * (1 - dy);
  const wd = dx * dy;
  const real = (re[a] ?? 0) * wa + (re[b] ?? 0) * wb + (re[a + SIZE] ?? 0) * wc + (re[b + SIZE] ?? 0) * wd;
  const imaginary =
    (im[a] ?? 0) * wa + (im[b] ?? 0) * wb + (im[a + SIZE] ?? 0) * wc + (im[b + SIZE] ?? 0) * wd;
  out[0] = real;
  out[1] = isMirrored ? -imaginary : imaginary;
}
