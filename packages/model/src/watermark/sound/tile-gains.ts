import { BANDS, CHIP_HOPS, CHIPS, signTiles } from './layout.js';
import type { Rows } from './rows.js';
import { encodeSoundPayload } from './sound-code.js';

/** Strength of a tile where the level is far from the wanted level. The usual strength is 1. */
const MOST = 2.2;
/** Strength of a tile where the sound already has the wanted level. */
const LEAST = 0.3;

/**
 * Returns strength and sign of each tile of the whole sound. Levels are relative to their surroundings, as in the
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
