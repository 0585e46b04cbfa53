import { CARRIERS, DATA_WAVES, LARGEST, TILE, WAVES } from './carriers.js';
import { createComplex } from './fourier.js';
import { readSpectrum, SIZE, type Spectrum } from './spectrum.js';

/** Canonical position = scale * rotation(angle) * pixel position + TILE * shift. */
export interface Geometry {
  /** Canonical pixels per pixel of the plane. */
  scale: number;
  /** In radians. */
  angle: number;
  /** The shifts are in tiles, from 0 to 1. */
  shiftX: number;
  shiftY: number;
}

/** Coefficients of all waves, without their fixed phases. */
export interface Waves {
  re: Float32Array;
  im: Float32Array;
}

export const createWaves = (): Waves => createComplex(WAVES);

/** Ignores the shift: the caller applies it. */
export function readWaves(spectrum: Spectrum, geometry: Geometry): Waves {
  const waves = createWaves();
  readFrom(spectrum, geometry, { first: 0, waves });
  return waves;
}

/** Ignores the shift: the caller applies it. */
export function readKnownWaves(spectrum: Spectrum, geometry: Geometry, waves: Waves): void {
  readFrom(spectrum, geometry, { first: DATA_WAVES, waves });
}

function readFrom(
  spectrum: Spectrum,
  { scale, angle }: Geometry,
  { first, waves }: { first: number; waves: Waves },
): void {
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
    waves.re[k] = real * c + imaginary * s;
    waves.im[k] = imaginary * c - real * s;
  }
}

/** The phase that a shift adds to each known wave. */
export interface Phases {
  cos: Float64Array;
  sin: Float64Array;
}

export const createPhases = (length = WAVES): Phases => ({
  cos: new Float64Array(length),
  sin: new Float64Array(length),
});

export function createPhaseReader(): (geometry: Geometry, phases: Phases) => void {
  const across = createPhases(LARGEST + 1);
  const down = createPhases(LARGEST + 1);
  return ({ shiftX, shiftY }, phases) => {
    turnBy(shiftX, across);
    turnBy(shiftY, down);
    for (let k = DATA_WAVES; k < WAVES; k++) {
      const u = CARRIERS.u[k] ?? 0;
      const v = CARRIERS.v[k] ?? 0;
      const cu = across.cos[Math.abs(u)] ?? 0;
      const su = (u < 0 ? -1 : 1) * (across.sin[Math.abs(u)] ?? 0);
      const cv = down.cos[v] ?? 0;
      const sv = down.sin[v] ?? 0;
      phases.cos[k] = cu * cv - su * sv;
      phases.sin[k] = su * cv + cu * sv;
    }
  };
}

/** 0 to 16 times a shift along one axis. */
function turnBy(shift: number, turns: Phases): void {
  for (let periods = 0; periods <= LARGEST; periods++) {
    turns.cos[periods] = Math.cos(2 * Math.PI * periods * shift);
    turns.sin[periods] = Math.sin(2 * Math.PI * periods * shift);
  }
}

/** Normalised correlation of the known waves, in standard deviations. */
export function agreement({ re, im }: Waves, { cos, sin }: Phases): number {
  let sum = 0;
  let norm = 1e-9;
  for (let k = DATA_WAVES; k < WAVES; k++) {
    const real = re[k] ?? 0;
    const imaginary = im[k] ?? 0;
    sum += real * (cos[k] ?? 0) + imaginary * (sin[k] ?? 0);
    norm += real * real + imaginary * imaginary;
  }
  return sum / Math.sqrt(norm / 2);
}

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
