import { BANDS, CHIP_HOPS, CHIPS, HOP_SECONDS, LAYOUT, PERIOD_HOPS } from './layout.js';
import type { Rows } from './rows.js';
import { SOUND_CODE_BITS } from './sound-code.js';

/**
 * Sums over the periods of 96 chips, one for each frame and band: each over the chip (3 frames) that begins at the
 * frame.
 */
export type Folded = Float32Array;

const BLOCK_FRAMES = Math.round(15 / HOP_SECONDS);
/** Limits the number of attempts, and the time of a detection. */
export const MAX_ANALYSED_SECONDS = 600;
/** The whole sound, and 40 overlapping parts. */
export const MAX_PARTS = 1 + MAX_ANALYSED_SECONDS / 15;

/** The whole sound, and overlapping parts of 30 s, because parts can have different marks. */
export function foldParts(rows: Rows): Folded[] {
  const blocks: Folded[] = [];
  for (let first = 0; first < rows.frames; first += BLOCK_FRAMES) blocks.push(foldBlock(rows, first));
  const whole = blocks.reduce(add, new Float32Array(PERIOD_HOPS * BANDS));
  const pairs = blocks.slice(1).map((block, at) => add(blocks[at] ?? block, block));
  return pairs.length > 1 ? [whole, ...pairs] : [whole];
}

const add = (one: Folded, other: Folded): Folded => one.map((value, at) => value + (other[at] ?? 0));

function foldBlock({ frames, values }: Rows, first: number): Folded {
  const folded = new Float32Array(PERIOD_HOPS * BANDS);
  const end = Math.min(frames, first + BLOCK_FRAMES);
  for (let frame = first; frame < end; frame++) {
    for (let hop = 0; hop < CHIP_HOPS; hop++) {
      const to = ((frame - hop + PERIOD_HOPS) % PERIOD_HOPS) * BANDS;
      for (let band = 0; band < BANDS; band++)
        folded[to + band] = (folded[to + band] ?? 0) + (values[frame * BANDS + band] ?? 0);
    }
  }
  return folded;
}

/** Frames that the detector tries as the beginning of the period. */
export const TRIED_PHASES = 16;

/** Returns the soft bits for the `count` beginnings with the best agreement of the known tiles, the best first. */
export function readSoftBits(folded: Folded, count = TRIED_PHASES): Float32Array[] {
  const phases = Array.from({ length: PERIOD_HOPS }, (_, phase) => ({
    phase,
    known: knownOf(folded, phase),
  }));
  phases.sort((a, b) => b.known - a.known);
  return phases.slice(0, count).map(({ phase }) => softOf(folded, phase));
}

function tileOf(folded: Folded, phase: number, tile: number): number {
  const frame = (phase + Math.floor(tile / BANDS) * CHIP_HOPS) % PERIOD_HOPS;
  return (folded[frame * BANDS + (tile % BANDS)] ?? 0) * (LAYOUT.sign[tile] ?? 0);
}

function knownOf(folded: Folded, phase: number): number {
  let sum = 0;
  let norm = 1e-9;
  for (const tile of LAYOUT.known) {
    const value = tileOf(folded, phase, tile);
    sum += value;
    norm += value * value;
  }
  return sum / Math.sqrt(norm);
}

/** Relative to the root mean square of all soft bits. Limits the effect of single loud moments. */
const LIMIT = 1.5;

function softOf(folded: Folded, phase: number): Float32Array {
  const soft = new Float32Array(SOUND_CODE_BITS);
  for (let tile = 0; tile < CHIPS * BANDS; tile++) {
    const bit = LAYOUT.bit[tile] ?? -1;
    if (bit >= 0) soft[bit] = (soft[bit] ?? 0) + tileOf(folded, phase, tile);
  }
  let squares = 0;
  for (const value of soft) squares += value * value;
  const limit = LIMIT * Math.sqrt(squares / soft.length);
  return soft.map((value) => Math.max(-limit, Math.min(limit, value)));
}
