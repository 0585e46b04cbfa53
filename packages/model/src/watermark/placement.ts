import { CARRIERS, DATA_WAVES, TILE, WAVES } from './carriers.js';
import { createTransform } from './fourier.js';
import { readSpectrum, SIZE, type Spectrum } from './spectrum.js';

/** The place of the tile: canonical position = scale * rotation(angle) * pixel position + TILE * shift. */
export interface Geometry {
  /** Canonical pixels per pixel of the analysed plane. */
  scale: number;
  /** Rotation in radians. */
  angle: number;
  /** Shift in tiles, 0 to 1. */
  shiftX: number;
  shiftY: number;
}

/** The coefficients of all waves, without the fixed phases of the waves. */
export interface Waves {
  re: Float32Array;
  im: Float32Array;
}

/** Reads the waves from index `first` on, at this scale and angle. Ignores the shift: the caller applies it. */
export function readWaves(spectrum: Spectrum, { scale, angle }: Geometry, first = 0): Waves {
  const re = new Float32Array(WAVES);
  const im = new Float32Array(WAVES);
  const out = new Float32Array(2);
  const cos = (Math.cos(angle) * scale * SIZE) / TILE;
  const sin = (Math.sin(angle) * scale * SIZE) / TILE;
  for (let k = first; k < WAVES; k++) {
    const u = CARRIERS.u[k] ?? 0;
    const v = CARRIERS.v[k] ?? 0;
    readSpectrum(spectrum, { x: cos * u + sin * v, y: cos * v - sin * u }, out);
    const real = out[0] ?? 0;
    const imaginary = out[1] ?? 0;
    const c = CARRIERS.cos[k] ?? 0;
    const s = CARRIERS.sin[k] ?? 0;
    re[k] = real * c + imaginary * s;
    im[k] = imaginary * c - real * s;
  }
  return { re, im };
}

const GRID = 64;
const transform = createTransform(GRID);

/**
 * Returns the shift with the best agreement of the known waves, in steps of 1/64 tile. `score` is this agreement.
 */
export function findShift({ re, im }: Waves): { shiftX: number; shiftY: number; score: number } {
  const grid = { re: new Float32Array(GRID * GRID), im: new Float32Array(GRID * GRID) };
  let norm = 1e-9;
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const column = ((CARRIERS.u[k] ?? 0) + GRID) % GRID;
    const at = (CARRIERS.v[k] ?? 0) * GRID + column;
    grid.re[at] = re[k] ?? 0;
    grid.im[at] = im[k] ?? 0;
    norm += (re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2;
  }
  const best = largestReal(grid);
  return {
    shiftX: (best.at % GRID) / GRID,
    shiftY: Math.floor(best.at / GRID) / GRID,
    score: best.value / Math.sqrt(norm / 2),
  };
}

function largestReal(grid: Waves): { at: number; value: number } {
  // Only the first rows have values, so the other rows need no transform.
  for (let y = 0; y <= 16; y++) {
    transform({
      re: grid.re.subarray(y * GRID, (y + 1) * GRID),
      im: grid.im.subarray(y * GRID, (y + 1) * GRID),
    });
  }
  const column = { re: new Float32Array(GRID), im: new Float32Array(GRID) };
  const best = { at: 0, value: Number.NEGATIVE_INFINITY };
  for (let x = 0; x < GRID; x++) {
    for (let y = 0; y < GRID; y++) {
      column.re[y] = grid.re[y * GRID + x] ?? 0;
      column.im[y] = grid.im[y * GRID + x] ?? 0;
    }
    transform(column);
    for (let y = 0; y < GRID; y++) {
      const value = column.re[y] ?? 0;
      if (value > best.value) {
        best.at = y * GRID + x;
        best.value = value;
      }
    }
  }
  return best;
}

/** Returns the normalised correlation of the known waves at a geometry, in standard deviations. */
export function agreement(spectrum: Spectrum, geometry: Geometry): number {
  const waves = readWaves(spectrum, geometry, DATA_WAVES);
  let sum = 0;
  let norm = 1e-9;
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const phase =
      2 * Math.PI * ((CARRIERS.u[k] ?? 0) * geometry.shiftX + (CARRIERS.v[k] ?? 0) * geometry.shiftY);
    const real = waves.re[k] ?? 0;
    const imaginary = waves.im[k] ?? 0;
    sum += real * Math.cos(phase) + imaginary * Math.sin(phase);
    norm += real ** 2 + imaginary ** 2;
  }
  return sum / Math.sqrt(norm / 2);
}

/** Returns the soft bits of the payload's code at a geometry. */
export function readSoftBits(spectrum: Spectrum, geometry: Geometry): Float32Array {
  const waves = readWaves(spectrum, geometry);
  const soft = new Float32Array(DATA_WAVES * 2);
  for (let k = 0; k < DATA_WAVES; k++) {
    const phase =
      2 * Math.PI * ((CARRIERS.u[k] ?? 0) * geometry.shiftX + (CARRIERS.v[k] ?? 0) * geometry.shiftY);
    const c = Math.cos(phase);
    const s = Math.sin(phase);
    const real = waves.re[k] ?? 0;
    const imaginary = waves.im[k] ?? 0;
    soft[2 * k] = real * c + imaginary * s;
    soft[2 * k + 1] = imaginary * c - real * s;
  }
  return soft;
}
