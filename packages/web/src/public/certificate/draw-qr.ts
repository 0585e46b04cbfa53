import { type QrCodewords, toCodewords } from './encode-qr.js';

/** True: dark. */
type QrModules = readonly (readonly boolean[])[];

interface Canvas {
  size: number;
  dark: boolean[][];
  fixed: boolean[][];
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Draws a text as a QR code (ISO/IEC 18004, level M). Undefined for a text of more than 106 bytes. */
export function drawQr(text: string): QrModules | undefined {
  const code = toCodewords(text);
  if (code === undefined) return undefined;
  const drawn = MASKS.map((mask, number) => draw(code, { mask, number }));
  return drawn.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best));
}

function draw(
  { version, codewords }: QrCodewords,
  { mask, number }: { mask: (typeof MASKS)[number]; number: number },
): boolean[][] {
  const size = 17 + 4 * version;
  const empty = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const canvas: Canvas = { size, dark: empty(), fixed: empty() };
  drawPatterns(canvas, version);
  drawFormat(canvas, number);
  let bit = 0;
  for (const [x, y] of placesOf(canvas)) {
    const isSet = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
    paint(canvas, [x, y], isSet !== mask(x, y));
    bit += 1;
  }
  return canvas.dark;
}

function paint({ dark }: Canvas, [x, y]: readonly [number, number], isDark: boolean): void {
  const row = dark[y];
  if (row !== undefined) row[x] = isDark;
}

function fix(canvas: Canvas, [x, y]: readonly [number, number], isDark: boolean): void {
  const row = canvas.fixed[y];
  if (row === undefined || x < 0 || x >= canvas.size) return;
  row[x] = true;
  paint(canvas, [x, y], isDark);
}

/** Draws the timing, finder and alignment patterns (§6.3). Versions 2 to 6 have one alignment pattern. */
function drawPatterns(canvas: Canvas, version: number): void {
  const { size } = canvas;
  for (let at = 0; at < size; at++) {
    fix(canvas, [6, at], at % 2 === 0);
    fix(canvas, [at, 6], at % 2 === 0);
  }
  const finder = (ring: number) => ring !== 2 && ring !== 4;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(canvas, [x, y], { radius: 4, isDark: finder });
  if (version > 1) drawRings(canvas, [size - 7, size - 7], { radius: 2, isDark: (ring) => ring !== 1 });
}

function drawRings(
  canvas: Canvas,
  [x, y]: readonly [number, number],
  { radius, isDark }: { radius: number; isDark: (ring: number) => boolean },
): void {
  for (let down = -radius; down <= radius; down++)
    for (let right = -radius; right <= radius; right++)
      fix(canvas, [x + right, y + down], isDark(Math.max(Math.abs(right), Math.abs(down))));
}

/** Draws the level and the mask twice, and the dark module (§7.9). The two bits of level M are 00. */
function drawFormat(canvas: Canvas, mask: number): void {
  const { size } = canvas;
  let rest = mask;
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const isDark = ((bits >> at) & 1) === 1;
    fix(canvas, nearFinder(at), isDark);
    fix(canvas, at < 8 ? [size - 1 - at, 8] : [8, size - 15 + at], isDark);
  }
  fix(canvas, [8, size - 8], true);
}

function nearFinder(at: number): [number, number] {
  if (at < 6) return [8, at];
  if (at < 8) return [8, at + 1];
  return at === 8 ? [7, 8] : [14 - at, 8];
}

/**
 * Lists the modules of the data in the order of its bits: in columns of two modules, alternately up and down (§7.7.3).
 */
function placesOf({ size, fixed }: Canvas): [number, number][] {
  const places: [number, number][] = [];
  for (let column = size - 1; column > 0; column -= column === 8 ? 3 : 2) {
    const isUp = ((column + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [column, column - 1]) if (!fixed[y]?.[x]) places.push([x, y]);
    }
  }
  return places;
}

/** Counts runs of five modules and squares of one colour, which scanners read badly (§7.8.3). */
function penaltyOf(modules: QrModules): number {
  let penalty = 0;
  const at = (x: number, y: number) => modules[y]?.[x];
  const isRun = (same: (step: number) => boolean | undefined) =>
    [1, 2, 3, 4].every((step) => same(step) === same(0));
  for (const [y, row] of modules.entries()) {
    for (const [x, colour] of row.entries()) {
      if (isRun((step) => at(x + step, y))) penalty += 1;
      if (isRun((step) => at(x, y + step))) penalty += 1;
      const square = [at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
      if (square.every((one) => one === colour)) penalty += 3;
    }
  }
  return penalty;
}
