import type { MarkRaster } from '../../src/watermark/plane.js';

/** Noise of many scales, like hills. */
export function makePicture(seed: number, width = 480, height = 360): MarkRaster {
  const next = sequence(seed);
  const values = new Float64Array(width * height);
  for (let cells = 3, amplitude = 60; cells < height / 2; cells *= 2, amplitude *= 0.55) {
    const columns = cells * 2 + 2;
    const grid = Float64Array.from({ length: columns * (cells + 2) }, () => (next() - 0.5) * amplitude * 2);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = y * width + x;
        values[at] = (values[at] ?? 0) + smooth(grid, columns, [(x * cells) / height, (y * cells) / height]);
      }
    }
  }
  const data = new Uint8ClampedArray(width * height * 3);
  for (const [at, value] of values.entries()) {
    data[at * 3] = 120 + value;
    data[at * 3 + 1] = 128 + value * 0.9;
    data[at * 3 + 2] = 110 + value * 0.7;
  }
  return { width, height, channels: 3, data };
}

function smooth(grid: Float64Array, columns: number, [x, y]: [number, number]): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const dx = (1 - Math.cos((x - left) * Math.PI)) / 2;
  const dy = (1 - Math.cos((y - top) * Math.PI)) / 2;
  const at = top * columns + left;
  const upper = (grid[at] ?? 0) * (1 - dx) + (grid[at + 1] ?? 0) * dx;
  const lower = (grid[at + columns] ?? 0) * (1 - dx) + (grid[at + columns + 1] ?? 0) * dx;
  return upper * (1 - dy) + lower * dy;
}

/** Returns a function that returns pseudo-random numbers from 0 to 1. */
export function sequence(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** Scales and rotates around the centre, cuts to a size, and interpolates linearly. */
export function move(
  raster: MarkRaster,
  {
    width,
    height,
    scale = 1,
    degrees = 0,
  }: { width: number; height: number; scale?: number; degrees?: number },
): MarkRaster {
  const cos = Math.cos((degrees * Math.PI) / 180) / scale;
  const sin = Math.sin((degrees * Math.PI) / 180) / scale;
  const data = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const px = (x - width / 2) * cos - (y - height / 2) * sin + raster.width / 2;
      const py = (x - width / 2) * sin + (y - height / 2) * cos + raster.height / 2;
      const left = Math.floor(px);
      const top = Math.floor(py);
      if (left < 0 || top < 0 || left + 1 >= raster.width || top + 1 >= raster.height) continue;
      const at = (top * raster.width + left) * 3;
      const below = at + raster.width * 3;
      for (let colour = 0; colour < 3; colour++) {
        const read = (index: number) => raster.data[index + colour] ?? 0;
        const upper = read(at) * (1 - px + left) + read(at + 3) * (px - left);
        const lower = read(below) * (1 - px + left) + read(below + 3) * (px - left);
        data[(y * width + x) * 3 + colour] = upper * (1 - py + top) + lower * (py - top);
      }
    }
  }
  return { width, height, channels: 3, data };
}
