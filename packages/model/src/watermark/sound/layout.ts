import { createSequence } from '../random.js';
import { SOUND_CODE_BITS } from './sound-code.js';

/** Between the starts of two analysed frames. */
export const HOP_SECONDS = 0.016;
export const CHIP_HOPS = 3;
/** The mark repeats after each period of 4.608 s. */
export const CHIPS = 96;
export const PERIOD_HOPS = CHIP_HOPS * CHIPS;
export const CHIP_SECONDS = CHIP_HOPS * HOP_SECONDS;

/** In Hz. A band below 1500 Hz is 150 Hz wide; above, a tenth of its lower edge. */
export const BAND_EDGES = makeBandEdges();
export const BANDS = BAND_EDGES.length - 1;
const TILES = CHIPS * BANDS;

function makeBandEdges(): number[] {
  const edges = [450];
  while ((edges.at(-1) ?? 0) < 6000) {
    const last = edges.at(-1) ?? 0;
    edges.push(last + Math.max(150, last / 10));
  }
  return edges;
}

/**
 * A tile is one chip of one band, with the index `chip * BANDS + band`. `bit`: its code bit, or -1 for the `known`
 * tiles, which have the same sign for every code and show the beginning of the period. `sign`: a pseudo-random factor.
 */
interface Layout {
  bit: Int16Array;
  sign: Int8Array;
  known: number[];
}

/** Tiles of each code bit. The remaining tiles (about an eighth) are known. */
const REPEATS = 4;
export const LAYOUT = makeLayout();

function makeLayout(): Layout {
  const next = createSequence(0x736f6e67);
  const order = Array.from({ length: TILES }, (_, tile) => tile);
  for (let index = TILES - 1; index > 0; index--) {
    const other = next() % (index + 1);
    [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
  }
  const bit = new Int16Array(TILES).fill(-1);
  const data = REPEATS * SOUND_CODE_BITS;
  for (const [place, tile] of order.slice(0, data).entries()) bit[tile] = place % SOUND_CODE_BITS;
  const sign = Int8Array.from({ length: TILES }, () => ((next() >>> 9) & 1 ? 1 : -1));
  return { bit, sign, known: order.slice(data) };
}

export function signTiles(code: Int8Array): Int8Array {
  return LAYOUT.sign.map((sign, tile) => {
    const bit = LAYOUT.bit[tile] ?? -1;
    return bit < 0 ? sign : sign * (code[bit] ?? 1);
  });
}
