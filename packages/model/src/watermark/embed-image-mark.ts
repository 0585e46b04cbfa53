import { DATA_WAVES, TILE, WAVES } from './carriers.js';
import type { Complex } from './fourier.js';
import { encodePayload } from './payload-code.js';
import { type Geometry, readWaves } from './placement.js';
import { type MarkRaster, type Plane, toPlane } from './plane.js';
import { QUIET, toSpectrum, toTexture } from './spectrum.js';
import { drawTile, readTile } from './tile.js';

export const TUNE = { gamma: 0.5, lambda: 0.7, sync: 1.3, rms: 1.93, most: 2.5, rounds: 2, cap: 6 };

/** Pictures from this number of pixels on get the fine grid. */
const FINE_FROM_PIXELS = 1_000_000;
const FINE = 1024;
const COARSE = 512;

/**
 * Returns a copy of the picture with a 64-bit payload as an invisible mark. The same input always gives the same
 * bytes. The alpha channel stays as it is.
 */
export function embedImageMark(raster: MarkRaster, payload: bigint): Uint8Array {
  const plane = toPlane(raster);
  const strength = toStrength(plane);
  const root = raster.width * raster.height >= FINE_FROM_PIXELS ? FINE : COARSE;
  const geometry = { scale: root / Math.sqrt(plane.width * plane.height), angle: 0, shiftX: 0, shiftY: 0 };
  const signs = toSigns(payload);
  const tile = drawTile(fitAmplitudes({ plane, strength, geometry }, signs));
  return paint(raster, { plane, strength, geometry }, tile);
}

interface Analysis {
  plane: Plane;
  /** Factor of the mark at each pixel of the plane; its mean square is 1. */
  strength: Float32Array;
  geometry: Geometry;
}

/** Returns how much each place hides: more where the picture has texture. */
function toStrength(plane: Plane): Float32Array {
  const { contrast } = toTexture(plane);
  const strength = contrast.map((value) => Math.min(TUNE.cap, ((value + QUIET) / QUIET) ** TUNE.gamma));
  let squares = 0;
  for (const value of strength) squares += value * value;
  const scale = 1 / Math.sqrt(squares / strength.length);
  return strength.map((value) => value * scale);
}

/** Returns the wanted sign of the real and the imaginary part of each wave; the known waves are real. */
function toSigns(payload: bigint): Complex {
  const code = encodePayload(payload);
  const re = new Float32Array(WAVES).fill(1);
  const im = new Float32Array(WAVES);
  for (let k = 0; k < DATA_WAVES; k++) {
    re[k] = code[2 * k] ?? 0;
    im[k] = code[2 * k + 1] ?? 0;
  }
  return { re, im };
}

/**
 * Returns the amplitudes of the waves. The picture itself disturbs each wave, and the embedder knows how: a wave that
 * the picture already turns the wanted way gets less, and a wave that it turns the wrong way gets more.
 */
function fitAmplitudes(analysis: Analysis, signs: Complex): Complex {
  const host = measure(analysis, undefined);
  let amplitudes = limitPower(signs, signs);
  for (let round = 0; round < TUNE.rounds; round++) {
    const marked = measure(analysis, amplitudes);
    amplitudes = improve({ signs, host, marked, amplitudes });
  }
  return amplitudes;
}

function measure({ plane, strength, geometry }: Analysis, amplitudes: Complex | undefined): Complex {
  if (!amplitudes) return readWaves(toSpectrum(plane), geometry);
  const tile = drawTile(amplitudes);
  const values = plane.values.slice();
  const step = geometry.scale / TILE;
  for (let y = 0; y < plane.height; y++) {
    for (let x = 0; x < plane.width; x++) {
      const at = y * plane.width + x;
      const wave = readTile(tile, (x - (plane.width >> 1)) * step, (y - (plane.height >> 1)) * step);
      values[at] = (values[at] ?? 0) + (strength[at] ?? 0) * wave;
    }
  }
  return readWaves(toSpectrum({ ...plane, values }), geometry);
}

interface Fit {
  signs: Complex;
  host: Complex;
  marked: Complex;
  amplitudes: Complex;
}

function improve({ signs, host, marked, amplitudes }: Fit): Complex {
  // The gain: how much a wave of 1 grey level changes what the detector reads.
  let moved = 0;
  let spent = 1e-9;
  for (const part of ['re', 'im'] as const) {
    for (let k = 0; k < WAVES; k++) {
      const amplitude = amplitudes[part][k] ?? 0;
      moved += ((marked[part][k] ?? 0) - (host[part][k] ?? 0)) * amplitude;
      spent += amplitude * amplitude;
    }
  }
  const gain = Math.max(1e-3, moved / spent);
  const power = (2 * TUNE.rms ** 2) / (2 * WAVES);
  const wanted = (margin: number): Complex => {
    const make = (part: 're' | 'im') =>
      Float32Array.from({ length: WAVES }, (_, k) => {
        const sign = signs[part][k] ?? 0;
        const own = (marked[part][k] ?? 0) - gain * (amplitudes[part][k] ?? 0);
        const isKnown = k >= DATA_WAVES;
        if (sign === 0) return 0;
        const target = margin * (isKnown ? TUNE.sync * Math.SQRT2 : 1);
        const needed = (target - TUNE.lambda * sign * own) / gain;
        return sign * Math.max(0, Math.min(TUNE.most * Math.sqrt(power) * (isKnown ? 1.5 : 1), needed));
      });
    return { re: make('re'), im: make('im') };
  };
  let low = 0;
  let high = 20;
  for (let round = 0; round < 20; round++) {
    const middle = (low + high) / 2;
    if (powerOf(wanted(middle)) > TUNE.rms ** 2) high = middle;
    else low = middle;
  }
  return limitPower(wanted(low), signs);
}

/** Mean square of the tile. */
function powerOf({ re, im }: Complex): number {
  let sum = 0;
  for (let k = 0; k < WAVES; k++) sum += ((re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2) / 2;
  return sum;
}

function limitPower(amplitudes: Complex, _: Complex): Complex {
  const scale = TUNE.rms / Math.sqrt(powerOf(amplitudes) + 1e-9);
  return { re: amplitudes.re.map((value) => value * scale), im: amplitudes.im.map((value) => value * scale) };
}

function paint(raster: MarkRaster, { plane, strength, geometry }: Analysis, tile: Float32Array): Uint8Array {
  const { width, height, channels } = raster;
  const data = Uint8Array.from(raster.data);
  const colours = channels === 1 ? 1 : 3;
  const step = geometry.scale / TILE;
  const ratioX = plane.width / width;
  const ratioY = plane.height / height;
  for (let y = 0; y < height; y++) {
    const planeY = (y + 0.5) * ratioY - 0.5;
    for (let x = 0; x < width; x++) {
      const planeX = (x + 0.5) * ratioX - 0.5;
      const wave = readTile(tile, (planeX - (plane.width >> 1)) * step, (planeY - (plane.height >> 1)) * step);
      const change = wave * readPlane(plane, strength, planeX, planeY);
      const at = (y * width + x) * channels;
      for (let colour = 0; colour < colours; colour++) {
        data[at + colour] = Math.max(0, Math.min(255, Math.round((raster.data[at + colour] ?? 0) + change)));
      }
    }
  }
  return data;
}

function readPlane({ width, height }: Plane, values: Float32Array, x: number, y: number): number {
  const left = Math.max(0, Math.min(width - 1, Math.floor(x)));
  const top = Math.max(0, Math.min(height - 1, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const below = Math.min(height - 1, top + 1);
  const dx = Math.max(0, Math.min(1, x - left));
  const dy = Math.max(0, Math.min(1, y - top));
  const upper = (values[top * width + left] ?? 0) * (1 - dx) + (values[top * width + right] ?? 0) * dx;
  const lower = (values[below * width + left] ?? 0) * (1 - dx) + (values[below * width + right] ?? 0) * dx;
  return upper * (1 - dy) + lower * dy;
}
