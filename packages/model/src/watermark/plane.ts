/** Brightness, row by row, 0 to 255. */
export interface Plane {
  width: number;
  height: number;
  values: Float32Array;
}

/** A decoded picture, row by row, with 1 (grey), 3 (RGB) or 4 (RGBA) bytes per pixel. */
export interface MarkRaster {
  width: number;
  height: number;
  channels: 1 | 3 | 4;
  data: Uint8Array | Uint8ClampedArray;
}

export function assertSize({ width, height, channels, data }: MarkRaster): void {
  if (width < 1 || height < 1 || data.length !== width * height * channels) {
    throw new RangeError(
      `The raster has ${data.length} bytes. ${width} x ${height} pixels of ${channels} channels need ${width * height * channels}.`,
    );
  }
}

/** In pixels. */
const LONGEST_SIDE = 512;

/** Returns a plane of at most 512 pixels a side. Each value is the mean of the pixels in its area. */
export function toPlane(raster: MarkRaster): Plane {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(raster.width, raster.height));
  const width = Math.max(1, Math.round(raster.width * scale));
  const height = Math.max(1, Math.round(raster.height * scale));
  const columns = spans(raster.width, width);
  const rows = spans(raster.height, height);
  const values = new Float32Array(width * height);
  const line = new Float32Array(width);
  for (let y = 0; y < height; y++) {
    let weight = 0;
    const first = rows.first[y] ?? 0;
    const last = rows.last[y] ?? 0;
    for (let row = first; row <= last; row++) {
      const share = row === first ? (rows.head[y] ?? 1) : row === last ? (rows.tail[y] ?? 1) : 1;
      if (share <= 0) continue;
      meanLine(raster, { row, columns, line });
      weight += share;
      for (let x = 0; x < width; x++)
        values[y * width + x] = (values[y * width + x] ?? 0) + share * (line[x] ?? 0);
    }
    for (let x = 0; x < width; x++) values[y * width + x] = (values[y * width + x] ?? 0) / weight;
  }
  return { width, height, values };
}

interface Spans {
  first: Int32Array;
  last: Int32Array;
  /** Shares of the first and the last source pixel. */
  head: Float32Array;
  tail: Float32Array;
}

function spans(from: number, to: number): Spans {
  const made = {
    first: new Int32Array(to),
    last: new Int32Array(to),
    head: new Float32Array(to),
    tail: new Float32Array(to),
  };
  for (let index = 0; index < to; index++) {
    const start = (index * from) / to;
    const end = ((index + 1) * from) / to;
    const first = Math.floor(start);
    const last = Math.min(from - 1, Math.ceil(end) - 1);
    made.first[index] = first;
    made.last[index] = last;
    made.head[index] = first === last ? end - start : first + 1 - start;
    made.tail[index] = end - last;
  }
  return made;
}

function meanLine(raster: MarkRaster, target: { row: number; columns: Spans; line: Float32Array }): void {
  const { data, channels, width } = raster;
  const { columns, line, row } = target;
  for (let x = 0; x < line.length; x++) {
    const first = columns.first[x] ?? 0;
    const last = columns.last[x] ?? 0;
    let sum = 0;
    let weight = 0;
    for (let column = first; column <= last; column++) {
      const share = column === first ? (columns.head[x] ?? 1) : column === last ? (columns.tail[x] ?? 1) : 1;
      const at = (row * width + column) * channels;
      const value =
        channels === 1
          ? (data[at] ?? 0)
          : 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
      sum += share * value;
      weight += share;
    }
    line[x] = sum / weight;
  }
}

/**
 * Three box filters, which approximate a Gaussian filter. `radius`: in pixels. Pass the same `scratch` for many planes
 * to save memory.
 */
export function blur(
  { width, height, values }: Plane,
  radius: number,
  scratch = createScratch(values.length),
): Plane {
  const { across, down } = scratch;
  for (let pass = 0; pass < 3; pass++) {
    blurRows({ width, height, values: pass === 0 ? values : down }, radius, across);
    blurColumns({ width, height, values: across }, radius, down);
  }
  return { width, height, values: down };
}

export function createScratch(pixels: number): { across: Float32Array; down: Float32Array } {
  return { across: new Float32Array(pixels), down: new Float32Array(pixels) };
}

/** Averages only pixels of the row, so that the border does not look like an edge. */
function blurRows({ width, height, values }: Plane, radius: number, to: Float32Array): void {
  for (let start = 0; start < width * height; start += width) {
    let count = Math.min(radius, width);
    let sum = 0;
    for (let x = 0; x < count; x++) sum += values[start + x] ?? 0;
    for (let x = 0; x < width; x++) {
      if (x + radius < width) {
        sum += values[start + x + radius] ?? 0;
        count++;
      }
      if (x > radius) {
        sum -= values[start + x - radius - 1] ?? 0;
        count--;
      }
      to[start + x] = sum / count;
    }
  }
}

/** Filters all columns together, because a row is contiguous in memory. */
function blurColumns({ width, height, values }: Plane, radius: number, to: Float32Array): void {
  const sums = new Float64Array(width);
  const empty = new Float32Array(width);
  const rowOf = (y: number) => (y < 0 || y >= height ? empty : values.subarray(y * width, (y + 1) * width));
  for (let y = 0; y < radius; y++) {
    const row = rowOf(y);
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (row[x] ?? 0);
  }
  for (let y = 0; y < height; y++) {
    const entering = rowOf(y + radius);
    const leaving = rowOf(y - radius - 1);
    const count = Math.min(y + radius, height - 1) - Math.max(y - radius, 0) + 1;
    for (let x = 0; x < width; x++) {
      const sum = (sums[x] ?? 0) + (entering[x] ?? 0) - (leaving[x] ?? 0);
      sums[x] = sum;
      to[y * width + x] = sum / count;
    }
  }
}
