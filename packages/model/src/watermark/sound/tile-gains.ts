import { BANDS, CHIP_HOPS, CHIPS, signTiles } from './layout.js';
import type { Rows } from './rows.js';
import { encodeSoundPayload } from './sound-code.js';

/**
 * Largest strength of a tile. It applies where the level of the sound is far from the wanted level. The usual strength
 * is 1.
 */
const MOST = 2.2;
/** Smallest strength of a tile. It applies where the sound already has the wanted level. */
const LEAST = 0.3;

/**
 * Returns the strength of each tile of the whole sound, with the sign of the tile. The closer the level of the sound
 * already is to the wanted level, the smaller is the strength. Levels are relative to their surroundings, as in the
 * detector. The index is `chip * BANDS + band`.
 */
export function toTileGains({ frames, values, weights }: Rows, payload: bigint): Float32Array {
  const signs = signTiles(encodeSoundPayload(payload));
  const chips = Math.ceil(frames / CHIP_HOPS) + 1;
  const gains = new Float32Array(chips * BANDS);
  for (let tile = 0; tile < gains.length; tile++) {
    const band = tile % BANDS;
    const chip = (tile - band) / BANDS;
    let value = 0;
    let weight = 1e-9;
    for (let frame = chip * CHIP_HOPS; frame < (chip + 1) * CHIP_HOPS; frame++) {
      value += values[frame * BANDS + band] ?? 0;
      weight += weights[frame * BANDS + band] ?? 0;
    }
    const sign = signs[(chip % CHIPS) * BANDS + band] ?? 0;
    const decibels = (sign * value) / weight;
    gains[tile] = sign * Math.max(LEAST, Math.min(MOST, 1 - decibels));
  }
  return gains;
}
