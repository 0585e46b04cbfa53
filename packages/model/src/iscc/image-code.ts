import { dct } from './dct.js';
import { IsccError, type IsccUnit } from './header.js';
import { packBits } from './pack-bits.js';

/** The width and height, in pixels, of the picture from which an Image-Code is computed. */
export const ISCC_IMAGE_SIDE = 32;

const SIDE = ISCC_IMAGE_SIDE;
const WINDOW = 8;
/** Upper left corners of the windows of coefficients, as column and row. */
const WINDOWS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/**
 * Returns the Image-Code of a picture. `pixels` has 32 x 32 grey values (0 to 255), row by row. Before the call, rotate
 * the picture upright, put it on a white background, crop plain borders, and scale it to 32 x 32. Throws
 * IsccError for another number of values.
 */
export function imageUnit(pixels: ArrayLike<number>): IsccUnit {
  if (pixels.length !== SIDE * SIDE) {
    throw new IsccError(`An Image-Code needs ${SIDE * SIDE} grey values, not ${pixels.length}`);
  }
  const rows = Array.from({ length: SIDE }, (_, row) =>
    dct(Array.from({ length: SIDE }, (_, column) => pixels[row * SIDE + column] ?? 0)),
  );
  const columns = Array.from({ length: SIDE }, (_, column) => dct(rows.map((row) => row[column] ?? 0)));
  const bits = WINDOWS.flatMap(([column, row]) => bitsOfWindow(columns, column, row));
  return { mainType: 'content', medium: 'image', digest: packBits(bits) };
}

function bitsOfWindow(columns: readonly (readonly number[])[], column: number, row: number): boolean[] {
  const values = Array.from(
    { length: WINDOW * WINDOW },
    (_, at) => columns[column + (at % WINDOW)]?.[row + Math.floor(at / WINDOW)] ?? 0,
  );
  const middle = median(values);
  return values.map((value) => value > middle);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [below = 0, above = 0] = sorted.slice(sorted.length / 2 - 1);
  return (below + above) / 2;
}
