import { normalise, withoutMean } from '../vector.js';
import { EDGE, type Raster } from './raster.js';

const PIXELS = EDGE * EDGE;
const FREQUENCIES = 16;
const CELLS = 4;
const ANGLES = 8;
const LUMA_COLUMNS = 10;
const LUMA_ROWS = 8;
const HUES = 16;
const WEIGHTS = { frequencies: 1, edges: 0.8, luma: 0.5, colour: 0.35 };
/** Smaller gradients are noise. Brightness has values from 0 to 255. */
const MIN_GRADIENT = 4;
/** Smaller differences of the channels (0 to 255) count as grey. */
const MIN_CHROMA = 12;
const MIN_CHROMA_ENERGY = 8;

/**
 * Describes a picture as a unit vector of 512 numbers: cosine transform (256), edge directions (128), small brightness
 * raster (80) and colours (48). A change of the computation needs a new `IMAGE_METHOD`.
 */
export function describeRaster({ luma, rgb }: Raster): Float32Array {
  const joined = [
    ...normalise(frequencyBlock(luma), WEIGHTS.frequencies),
    ...normalise(edgeBlock(luma), WEIGHTS.edges),
    ...normalise(lumaBlock(luma), WEIGHTS.luma),
    ...colourBlock(rgb),
  ];
  return Float32Array.from(normalise(joined, 1));
}

const COSINES = Array.from({ length: FREQUENCIES }, (_, frequency) =>
  Float64Array.from(
    { length: EDGE },
    (_, at) => Math.sqrt(2 / EDGE) * Math.cos((Math.PI / (2 * EDGE)) * (frequency + 1) * (2 * at + 1)),
  ),
);

/** Each result is the square root of the absolute value, with its sign. */
function frequencyBlock(luma: Float64Array): number[] {
  const columns = COSINES.map((cosine) => {
    const sums = new Float64Array(EDGE);
    for (let y = 0; y < EDGE; y++) {
      const weight = cosine[y] ?? 0;
      for (let x = 0; x < EDGE; x++) sums[x] = (sums[x] ?? 0) + weight * (luma[y * EDGE + x] ?? 0);
    }
    return sums;
  });
  return columns.flatMap((sums) =>
    COSINES.map((cosine) => {
      let sum = 0;
      for (let x = 0; x < EDGE; x++) sum += (cosine[x] ?? 0) * (sums[x] ?? 0);
      return Math.sign(sum) * Math.sqrt(Math.abs(sum));
    }),
  );
}

/** Computes edge directions in 4 x 4 cells. Each edge counts in the nearest cells and angles, by their distance. */
function edgeBlock(luma: Float64Array): number[] {
  const votes = new Float64Array(CELLS * CELLS * ANGLES);
  for (let y = 1; y < EDGE - 1; y++) {
    for (let x = 1; x < EDGE - 1; x++) {
      const across = (luma[y * EDGE + x + 1] ?? 0) - (luma[y * EDGE + x - 1] ?? 0);
      const down = (luma[(y + 1) * EDGE + x] ?? 0) - (luma[(y - 1) * EDGE + x] ?? 0);
      const strength = Math.hypot(across, down);
      if (strength < MIN_GRADIENT) continue;
      vote(votes, { x, y, angle: Math.atan2(down, across), weight: Math.sqrt(strength) });
    }
  }
  return withoutMean(votes);
}

interface RasterEdge {
  x: number;
  y: number;
  angle: number;
  weight: number;
}

function vote(votes: Float64Array, { x, y, angle, weight }: RasterEdge): void {
  const bin = ((angle < 0 ? angle + Math.PI : angle) / Math.PI) * ANGLES;
  const lower = Math.floor(bin);
  const cellEdge = EDGE / CELLS;
  const [column, row] = [(x - cellEdge / 2) / cellEdge, (y - cellEdge / 2) / cellEdge];
  for (const [cellY, high] of between(row)) {
    for (const [cellX, wide] of between(column)) {
      if (cellY < 0 || cellY >= CELLS || cellX < 0 || cellX >= CELLS) continue;
      const base = (cellY * CELLS + cellX) * ANGLES;
      const share = weight * high * wide;
      const upperShare = bin - lower;
      add(votes, base + (lower % ANGLES), share * (1 - upperShare));
      add(votes, base + ((lower + 1) % ANGLES), share * upperShare);
    }
  }
}

function between(position: number): [index: number, share: number][] {
  const lower = Math.floor(position);
  return [
    [lower, lower + 1 - position],
    [lower + 1, position - lower],
  ];
}

function add(values: Float64Array, index: number, amount: number): void {
  values[index] = (values[index] ?? 0) + amount;
}

function lumaBlock(luma: Float64Array): number[] {
  const cells: number[] = [];
  for (let row = 0; row < LUMA_ROWS; row++) {
    for (let column = 0; column < LUMA_COLUMNS; column++) cells.push(meanOfCell(luma, row, column));
  }
  return withoutMean(cells);
}

function meanOfCell(luma: Float64Array, row: number, column: number): number {
  const height = EDGE / LUMA_ROWS;
  const [left, right] = [column, column + 1].map((at) => Math.floor((at * EDGE) / LUMA_COLUMNS));
  let [sum, count] = [0, 0];
  for (let y = row * height; y < (row + 1) * height; y++) {
    for (let x = left ?? 0; x < (right ?? 0); x++) {
      sum += luma[y * EDGE + x] ?? 0;
      count++;
    }
  }
  return sum / count;
}

/** Computes colour differences (ITU-R BT.601) in 4 x 4 cells and a histogram of hues; zeros for a grey picture. */
function colourBlock(rgb: Float64Array): number[] {
  const chroma = new Float64Array(CELLS * CELLS * 2);
  const hues = new Float64Array(HUES);
  let total = 0;
  const cellEdge = EDGE / CELLS;
  for (let pixel = 0; pixel < PIXELS; pixel++) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(pixel * 3, pixel * 3 + 3);
    const [x, y] = [pixel % EDGE, Math.floor(pixel / EDGE)];
    const cell = (Math.floor(y / cellEdge) * CELLS + Math.floor(x / cellEdge)) * 2;
    add(chroma, cell, (-0.169 * red - 0.331 * green + 0.5 * blue) / cellEdge ** 2);
    add(chroma, cell + 1, (0.5 * red - 0.419 * green - 0.081 * blue) / cellEdge ** 2);
    const range = Math.max(red, green, blue) - Math.min(red, green, blue);
    if (range < MIN_CHROMA) continue;
    add(hues, Math.floor(hueOf(red, green, blue) * HUES) % HUES, range);
    total += range;
  }
  const isGrey = Math.hypot(...chroma) < MIN_CHROMA_ENERGY;
  const shares = [...hues].map((value) => (total === 0 ? 0 : (value / total) * 40));
  return normalise([...chroma, ...shares], isGrey ? 0 : WEIGHTS.colour);
}

function hueOf(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most === red) return (((green - blue) / range + 6) % 6) / 6;
  return (most === green ? (blue - red) / range + 2 : (red - green) / range + 4) / 6;
}
