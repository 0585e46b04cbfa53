import { type Complex, createTransform } from './fourier.js';
import { blur, type Plane } from './plane.js';

/** Size of the transform. The longest side of a plane is at most half of it. */
export const SIZE = 1024;
/** Number of columns: one for each frequency from 0 to below the Nyquist frequency (half a period per pixel). */
export const COLUMNS = 512;
const transform = createTransform(SIZE);

/**
 * The whitened spectrum of a picture with equalised local contrast. Column `x` and row `y` (modulo 1024) have
 * the frequencies `x / 1024` and `y / 1024`, in periods per pixel. The phase refers to the centre of the
 * picture.
 */
export interface Spectrum extends Complex {
  width: number;
  height: number;
}

/** Radius of the high-pass filter, relative to the longest side. */
const HIGH_PASS = 1 / 100;
/** Radius of the local contrast, relative to the longest side. */
const CONTRAST = 1 / 64;
/**
 * Grey levels that are added to the local contrast before the division by it, so that noise in plain areas is not
 * amplified.
 */
export const QUIET = 1.5;

/**
 * Returns each pixel minus its blurred surroundings (`detail`), and the local root mean square of `detail`
 * (`contrast`).
 */
export function toTexture(plane: Plane): { detail: Float32Array; contrast: Float32Array } {
  const longest = Math.max(plane.width, plane.height);
  const smooth = blur(plane, Math.max(2, Math.round(longest * HIGH_PASS))).values;
  const detail = plane.values.map((value, index) => value - (smooth[index] ?? 0));
  const squares = detail.map((value) => value * value);
  const power = blur({ ...plane, values: squares }, Math.max(2, Math.round(longest * CONTRAST))).values;
  return { detail, contrast: power.map((value) => Math.sqrt(Math.max(0, value))) };
}

export function toSpectrum(plane: Plane): Spectrum {
  const { detail, contrast } = toTexture(plane);
  const flat = detail.map((value, index) => {
    const level = value / ((contrast[index] ?? 0) + QUIET);
    return Math.max(-2.5, Math.min(2.5, level));
  });
  const spectrum = transformPlane({ ...plane, values: flat });
  levelPower(spectrum);
  return { ...spectrum, width: plane.width, height: plane.height };
}

/** Transforms a real plane. Two rows share one transform, because the spectrum of a real row is symmetric. */
function transformPlane({ width, height, values }: Plane): Complex {
  const re = new Float32Array(COLUMNS * SIZE);
  const im = new Float32Array(COLUMNS * SIZE);
  const line = { re: new Float32Array(SIZE), im: new Float32Array(SIZE) };
  const left = width >> 1;
  const top = height >> 1;
  for (let y = 0; y < height; y += 2) {
    line.re.fill(0);
    line.im.fill(0);
    for (let x = 0; x < width; x++) {
      const at = (x - left + SIZE) % SIZE;
      line.re[at] = values[y * width + x] ?? 0;
      line.im[at] = y + 1 < height ? (values[(y + 1) * width + x] ?? 0) : 0;
    }
    transform(line);
    const first = (y - top + SIZE) % SIZE;
    const second = (y + 1 - top + SIZE) % SIZE;
    for (let x = 0; x < COLUMNS; x++) {
      const mirror = (SIZE - x) % SIZE;
      const ar = line.re[x] ?? 0;
      const ai = line.im[x] ?? 0;
      const br = line.re[mirror] ?? 0;
      const bi = line.im[mirror] ?? 0;
      re[x * SIZE + first] = (ar + br) / 2;
      im[x * SIZE + first] = (ai - bi) / 2;
      re[x * SIZE + second] = (ai + bi) / 2;
      im[x * SIZE + second] = (br - ar) / 2;
    }
  }
  for (let x = 0; x < COLUMNS; x++) {
    const range: [number, number] = [x * SIZE, (x + 1) * SIZE];
    transform({ re: re.subarray(...range), im: im.subarray(...range) });
  }
  return { re, im };
}

/** Side of the cells in which `levelPower` computes the mean power, in grid points. */
const CELL = 4;
const LEVEL_CELLS = 3;
/**
 * Largest amplitude of the whitened spectrum. It limits the effect of regular patterns and of the edges of JPEG blocks.
 */
const CLIP = 3;

/**
 * Whitens the spectrum: divides each value by the root of the mean power around it, and limits the result.
 */
function levelPower({ re, im }: Complex): void {
  const width = SIZE / CELL;
  const mean = new Float32Array(width * (COLUMNS / CELL));
  for (let index = 0; index < re.length; index++) {
    const cell = Math.floor(index / (SIZE * CELL)) * width + ((index % SIZE) >> 2);
    mean[cell] = (mean[cell] ?? 0) + ((re[index] ?? 0) ** 2 + (im[index] ?? 0) ** 2) / CELL ** 2;
  }
  const level = blur({ width, height: COLUMNS / CELL, values: mean }, LEVEL_CELLS).values;
  const factors = level.map((power) => 1 / Math.sqrt(power + 1e-9));
  for (let index = 0; index < re.length; index++) {
    const factor = factors[Math.floor(index / (SIZE * CELL)) * width + ((index % SIZE) >> 2)] ?? 0;
    const real = (re[index] ?? 0) * factor;
    const imaginary = (im[index] ?? 0) * factor;
    const power = real * real + imaginary * imaginary;
    const limit = power > CLIP * CLIP ? CLIP / Math.sqrt(power) : 1;
    re[index] = real * limit;
    im[index] = imaginary * limit;
  }
}

/**
 * Writes the value at a position to `out` (real, imaginary), with bilinear interpolation between grid points. Writes 0
 * for frequencies outside the spectrum.
 */
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
