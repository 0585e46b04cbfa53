import { createSequence } from './random.js';

/** Bits of a payload, and bits of the code that protects it. */
export const PAYLOAD_BITS = 64;
const MEMORY = 10;
const STEPS = PAYLOAD_BITS + MEMORY;
const OUTPUTS = 8;
export const CODE_BITS = STEPS * OUTPUTS;
const STATES = 1 << MEMORY;

/**
 * A time-varying convolutional code of rate 1/8 with 1024 states and a zero tail. Each output of each step is the
 * parity of a pseudo-random choice of the 11 bits in the register.
 */
const MASKS = makeMasks();

function makeMasks(): Uint16Array {
  const next = createSequence(0x6d61726b);
  return Uint16Array.from({ length: CODE_BITS }, () => {
    // Each mask contains the newest and the oldest bit, so every output depends on both.
    return ((next() >>> 7) & (STATES * 2 - 1)) | 1 | STATES;
  });
}

/** The 8 output bits of each step for each value of the register. */
const PATTERNS = makePatterns();

function makePatterns(): Uint8Array {
  const registers = STATES * 2;
  const patterns = new Uint8Array(STEPS * registers);
  for (let step = 0; step < STEPS; step++) {
    const base = step * registers;
    for (let bit = 1; bit < registers; bit *= 2) patterns[base + bit] = outputsOf(step, bit);
    // The code is linear: the outputs of a register are those of its bits, combined by exclusive or.
    for (let register = 1; register < registers; register++) {
      const lowest = register & -register;
      patterns[base + register] = (patterns[base + lowest] ?? 0) ^ (patterns[base + register - lowest] ?? 0);
    }
  }
  return patterns;
}

function outputsOf(step: number, bit: number): number {
  let pattern = 0;
  for (let output = 0; output < OUTPUTS; output++) {
    if ((MASKS[step * OUTPUTS + output] ?? 0) & bit) pattern |= 1 << output;
  }
  return pattern;
}

/** Returns the code of a payload as signs: 1 for a zero bit, -1 for a one bit. */
export function encodePayload(payload: bigint): Int8Array {
  const signs = new Int8Array(CODE_BITS);
  let register = 0;
  for (let step = 0; step < STEPS; step++) {
    const bit = step < PAYLOAD_BITS ? Number((payload >> BigInt(PAYLOAD_BITS - 1 - step)) & 1n) : 0;
    register = ((register << 1) | bit) & (STATES * 2 - 1);
    const pattern = PATTERNS[step * STATES * 2 + register] ?? 0;
    for (let output = 0; output < OUTPUTS; output++) {
      signs[step * OUTPUTS + output] = (pattern >> output) & 1 ? -1 : 1;
    }
  }
  return signs;
}

/** Returns the payload whose code has the largest correlation with the soft bits (Viterbi algorithm). */
export function decodePayload(soft: Float32Array): bigint {
  let scores = new Float32Array(STATES).fill(Number.NEGATIVE_INFINITY);
  let next = new Float32Array(STATES);
  scores[0] = 0;
  const survivors = new Uint8Array(STEPS * STATES);
  const gains = new Float32Array(1 << OUTPUTS);
  for (let step = 0; step < STEPS; step++) {
    fillGains(gains, soft.subarray(step * OUTPUTS, (step + 1) * OUTPUTS));
    const base = step * STATES * 2;
    for (let state = 0; state < STATES; state++) {
      // The register before the shift had `state >> 1` in its low bits, and one older bit that is 0 or 1.
      const recent = state >> 1;
      const older = recent | (STATES >> 1);
      const bit = state & 1;
      const low = (scores[recent] ?? 0) + (gains[PATTERNS[base + ((recent << 1) | bit)] ?? 0] ?? 0);
      const high = (scores[older] ?? 0) + (gains[PATTERNS[base + ((older << 1) | bit)] ?? 0] ?? 0);
      const isHigh = high > low;
      next[state] = isHigh ? high : low;
      survivors[step * STATES + state] = isHigh ? 1 : 0;
    }
    if (step >= PAYLOAD_BITS) dropOnes(next);
    [scores, next] = [next, scores];
  }
  return traceBack(survivors);
}

/** Removes states that end in a one, because all bits of the tail are zero. */
function dropOnes(scores: Float32Array): void {
  for (let state = 1; state < STATES; state += 2) scores[state] = Number.NEGATIVE_INFINITY;
}

function fillGains(gains: Float32Array, soft: Float32Array): void {
  let total = 0;
  for (const value of soft) total += value;
  gains[0] = total;
  for (let pattern = 1; pattern < gains.length; pattern++) {
    const lowest = 31 - Math.clz32(pattern & -pattern);
    gains[pattern] = (gains[pattern & (pattern - 1)] ?? 0) - 2 * (soft[lowest] ?? 0);
  }
}

function traceBack(survivors: Uint8Array): bigint {
  let payload = 0n;
  let state = 0;
  for (let step = STEPS - 1; step >= 0; step--) {
    if (step < PAYLOAD_BITS && state & 1) payload |= 1n << BigInt(PAYLOAD_BITS - 1 - step);
    state = (state >> 1) | (survivors[step * STATES + state] ? STATES >> 1 : 0);
  }
  return payload;
}
