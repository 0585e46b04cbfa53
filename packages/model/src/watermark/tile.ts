import { CARRIERS, WAVES } from './carriers.js';
import { type Complex, createTransform } from './fourier.js';

/** Samples along the side. */
const SIDE = 512;
const transform = createTransform(SIDE);

/** Sum of `re * cos(wave) - im * sin(wave)`; amplitudes in grey levels. */
export function drawTile(amplitudes: Complex): Float32Array {
  const grid = { re: new Float32Array(SIDE * SIDE), im: new Float32Array(SIDE * SIDE) };
  for (let k = 0; k < WAVES; k++) {
    const u = CARRIERS.u[k] ?? 0;
    const v = CARRIERS.v[k] ?? 0;
    const c = CARRIERS.cos[k] ?? 0;
    const s = CARRIERS.sin[k] ?? 0;
    const at = v * SIDE + ((u + SIDE) % SIDE);
    // The transform uses exp(-i t), and a tile needs exp(+i t). Conjugate values give the conjugate of the wanted sum,
    // which has the same real part.
    grid.re[at] = (amplitudes.re[k] ?? 0) * c - (amplitudes.im[k] ?? 0) * s;
    grid.im[at] = -((amplitudes.re[k] ?? 0) * s + (amplitudes.im[k] ?? 0) * c);
  }
  // Waves have at most 16 periods per side.
  for (let y = 0; y <= 16; y++) {
    transform({
      re: grid.re.subarray(y * SIDE, (y + 1) * SIDE),
      im: grid.im.subarray(y * SIDE, (y + 1) * SIDE),
    });
  }
  const tile = new Float32Array(SIDE * SIDE);
  const column = { re: new Float32Array(SIDE), im: new Float32Array(SIDE) };
  for (let x = 0; x < SIDE; x++) {
    for (let y = 0; y < SIDE; y++) {
      column.re[y] = grid.re[y * SIDE + x] ?? 0;
      column.im[y] = grid.im[y * SIDE + x] ?? 0;
    }
    transform(column);
    for (let y = 0; y < SIDE; y++) tile[y * SIDE + x] = column.re[y] ?? 0;
  }
  return tile;
}

/** Bilinear. The unit of `x` and `y` is the side of the tile. */
export function readTile(tile: Float32Array, x: number, y: number): number {
  const px = (x - Math.floor(x)) * SIDE;
  const py = (y - Math.floor(y)) * SIDE;
  const column = Math.floor(px) & (SIDE - 1);
  const row = Math.floor(py) & (SIDE - 1);
  const right = (column + 1) & (SIDE - 1);
  const below = (row + 1) & (SIDE - 1);
  const dx = px - Math.floor(px);
  const dy = py - Math.floor(py);
  const top = (tile[row * SIDE + column] ?? 0) * (1 - dx) + (tile[row * SIDE + right] ?? 0) * dx;
  const bottom = (tile[below * SIDE + column] ?? 0) * (1 - dx) + (tile[below * SIDE + right] ?? 0) * dx;
  return top * (1 - dy) + bottom * dy;
}
