import { TILE } from './carriers.js';
import { addChecksum, MARK_BITS } from './checked-payload.js';
import { ROOTS } from './find-geometries.js';
import { fitAmplitudes } from './fit-amplitudes.js';
import { type Geometry, readWaves } from './placement.js';
import { assertSize, type MarkRaster, type Plane, toPlane } from './plane.js';
import { toSpectrum } from './spectrum.js';
import { toStrength } from './strength.js';
import { drawTile, readTile } from './tile.js';

/** Larger pictures get the mark with the smaller tile. */
const FINE_FROM_PIXELS = 1_000_000;

/**
 * Returns the bytes of the picture with a 48-bit payload as an invisible mark. The same input always gives the same
 * bytes. The alpha channel stays as it is. The mark also has a checksum of 16 bits, and the detector ignores a mark
 * whose checksum is wrong.
 *
 * @example
 * const data = new Uint8Array(256 * 256).map((_, at) => 128 + 60 * Math.sin(at / 9) * Math.sin(at / 2000));
 * const picture = { width: 256, height: 256, channels: 1, data };
 * const marked = { ...picture, data: embedImageMark(picture, 7n) };
 * detectImageMark(marked).payload; // => 7n
 * detectImageMark(picture); // => undefined
 *
 * @throws RangeError if the payload is negative or has more than 48 bits, if the picture has no pixels, or if the size
 * of the data is not `width * height * channels`
 */
export function embedImageMark(raster: MarkRaster, payload: bigint): Uint8Array {
  assertSize(raster);
  assertPayload(payload);
  const plane = toPlane(raster);
  const canvas = { plane, strength: toStrength([plane]), geometry: chooseGeometry(raster, plane) };
  return paint(raster, canvas, fitTile(canvas, payload));
}

/** In pixels. */
export type Size = Pick<MarkRaster, 'width' | 'height'>;

interface Canvas {
  plane: Plane;
  /** Factor of the tile for each pixel of the plane. See `toStrength`. */
  strength: Float32Array;
  geometry: Geometry;
}

export function assertPayload(payload: bigint): void {
  if (payload < 0n || payload >> BigInt(MARK_BITS) !== 0n) {
    throw new RangeError(`The payload ${payload} is not a number of ${MARK_BITS} bits, 0 to 2^48 - 1.`);
  }
}

/** The tile has no rotation and no shift. */
export function chooseGeometry({ width, height }: Size, plane: Plane): Geometry {
  const [fine = 1, coarse = 1] = ROOTS;
  const root = width * height >= FINE_FROM_PIXELS ? fine : coarse;
  return { scale: root / Math.sqrt(plane.width * plane.height), angle: 0, shiftX: 0, shiftY: 0 };
}

export function fitTile(canvas: Canvas, payload: bigint): Float32Array {
  const amplitudes = fitAmplitudes(addChecksum(payload), (tried) => {
    const values = addTile(canvas, drawTile(tried));
    return readWaves(toSpectrum({ ...canvas.plane, values }), canvas.geometry);
  });
  return drawTile(amplitudes);
}

function addTile({ plane, strength, geometry }: Canvas, tile: Float32Array): Float32Array {
  const step = geometry.scale / TILE;
  return plane.values.map((value, at) => {
    const x = (at % plane.width) - (plane.width >> 1);
    const y = Math.floor(at / plane.width) - (plane.height >> 1);
    return value + (strength[at] ?? 0) * readTile(tile, x * step, y * step);
  });
}

/** Adds the same value to red, green and blue. */
function paint(raster: MarkRaster, canvas: Canvas, tile: Float32Array): Uint8Array {
  const { channels } = raster;
  const data = Uint8Array.from(raster.data);
  const colours = channels === 1 ? 1 : 3;
  forEachChange(raster, canvas, tile, (pixel, change) => {
    const at = pixel * channels;
    for (let colour = at; colour < at + colours; colour++) {
      data[colour] = Math.max(0, Math.min(255, Math.round((data[colour] ?? 0) + change)));
    }
  });
  return data;
}

/** Row by row; `change` is in grey levels. */
export function forEachChange(
  { width, height }: Size,
  { plane, strength, geometry }: Canvas,
  tile: Float32Array,
  visit: (pixel: number, change: number) => void,
): void {
  const factors = { ...plane, values: strength };
  const step = geometry.scale / TILE;
  for (let row = 0; row < height; row++) {
    const y = ((row + 0.5) * plane.height) / height - 0.5;
    for (let column = 0; column < width; column++) {
      const x = ((column + 0.5) * plane.width) / width - 0.5;
      const wave = readTile(tile, (x - (plane.width >> 1)) * step, (y - (plane.height >> 1)) * step);
      visit(row * width + column, wave * readBetween(factors, x, y));
    }
  }
}

/** Bilinear. Outside the plane, returns the nearest value. */
function readBetween({ width, height, values }: Plane, x: number, y: number): number {
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
