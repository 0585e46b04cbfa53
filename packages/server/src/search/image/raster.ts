/** In pixels. */
export const EDGE = 64;
const PIXELS = EDGE * EDGE;

/** A picture scaled to a square: brightness and colours, 0 to 255, row by row. */
export interface Raster {
  luma: Float64Array;
  rgb: Float64Array;
}

export interface Pixels {
  edge: number;
  rgb: Uint8Array;
}

/** A part of a picture, in pixels. `right` and `bottom` are exclusive. */
interface Frame {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Largest share of a side that one border can take. */
const MAX_BORDER = 0.2;
/** Largest difference (of 255) between the colours of one border. */
const BORDER_TOLERANCE = 10;
/** Minimum standard deviation of brightness (of 255). A picture below it has no usable features. */
const MIN_CONTRAST = 2;

/** Returns the raster without its plain border; undefined for a picture without usable features. */
export function toRaster(pixels: Pixels): Raster | undefined {
  const raster = resample(pixels, findFrame(pixels));
  return deviation(raster.luma) < MIN_CONTRAST ? undefined : raster;
}

export function toLumaBytes({ luma }: Raster): Uint8Array {
  return Uint8Array.from(luma, (value) => Math.round(value));
}

/**
 * Returns the 8 flips and quarter turns, first the raster itself. The index is a sum: 1 mirrors left and right, 2
 * mirrors top and bottom, and 4 swaps the axes.
 */
export function turnRaster(raster: Raster): Raster[] {
  return Array.from({ length: 8 }, (_, turn) => turnRasterBy(raster, turn));
}

export function turnRasterBy(raster: Raster, turn: number): Raster {
  const from = Uint16Array.from({ length: PIXELS }, (_, index) =>
    turnedFrom(turn, index % EDGE, Math.floor(index / EDGE)),
  );
  return {
    luma: Float64Array.from(from, (source) => raster.luma[source] ?? 0),
    rgb: Float64Array.from(
      { length: PIXELS * 3 },
      (_, index) => raster.rgb[(from[Math.floor(index / 3)] ?? 0) * 3 + (index % 3)] ?? 0,
    ),
  };
}

function turnedFrom(turn: number, x: number, y: number): number {
  const across = turn & 1 ? EDGE - 1 - x : x;
  const down = turn & 2 ? EDGE - 1 - y : y;
  return turn & 4 ? across * EDGE + down : down * EDGE + across;
}

/** Finds the picture inside a plain border, for example a letterbox. */
function findFrame(pixels: Pixels): Frame {
  const { edge } = pixels;
  const most = Math.floor(edge * MAX_BORDER);
  const count = (isPlain: (depth: number) => boolean) => {
    let depth = 0;
    while (depth < most && isPlain(depth)) depth++;
    return depth;
  };
  const line = (first: number, step: number) => spreadOf(pixels, { first, step, base: first });
  const like = (outer: number, first: number, step: number) =>
    line(first, step) <= BORDER_TOLERANCE &&
    spreadOf(pixels, { first, step, base: outer }) <= BORDER_TOLERANCE;
  const last = edge - 1;
  return {
    top: count((depth) => like(0, depth * edge, 1)),
    bottom: edge - count((depth) => like(last * edge, (last - depth) * edge, 1)),
    left: count((depth) => like(0, depth, edge)),
    right: edge - count((depth) => like(last, last - depth, edge)),
  };
}

function spreadOf({ edge, rgb }: Pixels, line: { first: number; step: number; base: number }): number {
  let most = 0;
  for (let index = 0; index < edge; index++) {
    const pixel = line.first + index * line.step;
    for (let channel = 0; channel < 3; channel++) {
      const distance = Math.abs((rgb[pixel * 3 + channel] ?? 0) - (rgb[line.base * 3 + channel] ?? 0));
      if (distance > most) most = distance;
    }
  }
  return most;
}

/** Computes each cell as the mean of the pixels that it covers fully or partly. */
function resample(pixels: Pixels, { left, top, right, bottom }: Frame): Raster {
  const columns = coverage(left, right);
  const rows = coverage(top, bottom);
  const rgb = new Float64Array(PIXELS * 3);
  const luma = new Float64Array(PIXELS);
  for (const [y, row] of rows.entries()) {
    for (const [x, column] of columns.entries()) {
      const [red, green, blue] = meanColour(pixels, row, column);
      const at = y * EDGE + x;
      rgb.set([red, green, blue], at * 3);
      luma[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
    }
  }
  return { luma, rgb };
}

type Covered = readonly (readonly [index: number, share: number])[];

function coverage(start: number, end: number): Covered[] {
  const size = (end - start) / EDGE;
  return Array.from({ length: EDGE }, (_, cell) => {
    const [from, to] = [start + cell * size, start + (cell + 1) * size];
    const covered: [number, number][] = [];
    for (let index = Math.floor(from); index < to; index++) {
      const share = Math.min(index + 1, to) - Math.max(index, from);
      if (share > 1e-9) covered.push([index, share / size]);
    }
    return covered;
  });
}

function meanColour({ edge, rgb }: Pixels, rows: Covered, columns: Covered): [number, number, number] {
  let [red, green, blue] = [0, 0, 0];
  for (const [y, high] of rows) {
    for (const [x, wide] of columns) {
      const at = (y * edge + x) * 3;
      const share = high * wide;
      red += share * (rgb[at] ?? 0);
      green += share * (rgb[at + 1] ?? 0);
      blue += share * (rgb[at + 2] ?? 0);
    }
  }
  return [red, green, blue];
}

function deviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
