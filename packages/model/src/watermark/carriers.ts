import { CODE_BITS } from './payload-code.js';
import { createSequence } from './random.js';

/**
 * Side of the repeated tile, in canonical pixels. A large marked picture has an area of 1024 x 1024 canonical pixels,
 * and a small one 720 x 720.
 */
export const TILE = 128;
/** Frequencies of the waves, in periods per tile side. */
const SMALLEST = 4;
export const LARGEST = 16;

/** `u` and `v`: periods per tile side. The first `DATA_WAVES` waves carry the payload. */
export interface Carriers {
  u: Float32Array;
  v: Float32Array;
  /** `cos` and `sin`: the cosine and sine of the fixed phase of each wave. */
  cos: Float32Array;
  sin: Float32Array;
}

/**
 * Each of these waves carries two code bits. The other waves are known, so the detector finds the geometry with them.
 */
export const DATA_WAVES = CODE_BITS / 2;
export const CARRIERS = makeCarriers();
export const WAVES = CARRIERS.u.length;

function makeCarriers(): Carriers {
  const waves: [number, number][] = [];
  for (let v = 0; v <= LARGEST; v++) {
    for (let u = -LARGEST; u <= LARGEST; u++) {
      if (v === 0 && u <= 0) continue;
      const radius = Math.hypot(u, v);
      if (radius >= SMALLEST && radius <= LARGEST) waves.push([u, v]);
    }
  }
  const next = createSequence(0x77617665);
  for (let index = waves.length - 1; index > 0; index--) {
    const other = next() % (index + 1);
    const moved = waves[index] ?? [0, 0];
    waves[index] = waves[other] ?? [0, 0];
    waves[other] = moved;
  }
  const phases = waves.map(() => (next() / 2 ** 32) * 2 * Math.PI);
  return {
    u: Float32Array.from(waves, ([u]) => u),
    v: Float32Array.from(waves, ([, v]) => v),
    cos: Float32Array.from(phases, Math.cos),
    sin: Float32Array.from(phases, Math.sin),
  };
}
