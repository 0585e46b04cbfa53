import { createSequence } from './random.js';

const MEMORY = 10;
const STATES = 1 << MEMORY;
const REGISTERS = STATES * 2;
/** Per step. */
const OUTPUTS = 8;
const ALL_OUTPUTS = (1 << OUTPUTS) - 1;

/** Time-varying, rate 1/8, 1024 states and a zero tail. */
export interface ConvolutionalCode {
  /** Protected bits. */
  bits: number;
  codeBits: number;
  /** Signs: 1 for a zero bit, -1 for a one bit. */
  encode(value: bigint): Int8Array;
  /** Viterbi algorithm. */
  decode(soft: Float32Array): bigint;
}

/** The code has `8 * (bits + 10)` code bits. The seed determines its generators. */
export function createConvolutionalCode(bits: number, seed: number): ConvolutionalCode {
  const steps = bits + MEMORY;
  const patterns = makePatterns(steps, seed);
  return {
    bits,
    codeBits: steps * OUTPUTS,
    encode: (value) => encode({ bits, steps, patterns }, value),
    decode: (soft) => decode({ bits, steps, patterns }, soft),
  };
}

/** `patterns`: 8 output bits for each step and each value of the register. */
interface Tables {
  bits: number;
  steps: number;
  patterns: Uint8Array;
}

function makePatterns(steps: number, seed: number): Uint8Array {
  const masks = makeMasks(steps * OUTPUTS, seed);
  const patterns = new Uint8Array(steps * REGISTERS);
  for (let step = 0; step < steps; step++) {
    const base = step * REGISTERS;
    const own = masks.subarray(step * OUTPUTS, (step + 1) * OUTPUTS);
    for (let bit = 1; bit < REGISTERS; bit *= 2) patterns[base + bit] = outputsOf(own, bit);
    // The outputs of a register are the XOR of the outputs of its bits.
    for (let register = 1; register < REGISTERS; register++) {
      const lowest = register & -register;
      patterns[base + register] = (patterns[base + lowest] ?? 0) ^ (patterns[base + register - lowest] ?? 0);
    }
  }
  return patterns;
}

/** An output is the parity of the bits of the register that its mask selects. */
function makeMasks(codeBits: number, seed: number): Uint16Array {
  const next = createSequence(seed);
  // With the newest and the oldest bit in each mask, every output depends on both.
  return Uint16Array.from({ length: codeBits }, () => ((next() >>> 7) & (REGISTERS - 1)) | 1 | STATES);
}

function outputsOf(masks: Uint16Array, bit: number): number {
  let pattern = 0;
  for (let output = 0; output < OUTPUTS; output++) {
    if ((masks[output] ?? 0) & bit) pattern |= 1 << output;
  }
  return pattern;
}

function encode({ bits, steps, patterns }: Tables, value: bigint): Int8Array {
  const signs = new Int8Array(steps * OUTPUTS);
  let register = 0;
  for (let step = 0; step < steps; step++) {
    const bit = step < bits ? Number((value >> BigInt(bits - 1 - step)) & 1n) : 0;
    register = ((register << 1) | bit) & (REGISTERS - 1);
    const pattern = patterns[step * REGISTERS + register] ?? 0;
    for (let output = 0; output < OUTPUTS; output++) {
      signs[step * OUTPUTS + output] = (pattern >> output) & 1 ? -1 : 1;
    }
  }
  return signs;
}

function decode({ bits, steps, patterns }: Tables, soft: Float32Array): bigint {
  let scores = new Float32Array(STATES).fill(Number.NEGATIVE_INFINITY);
  let next = new Float32Array(STATES);
  scores[0] = 0;
  const survivors = new Uint8Array(steps * STATES);
  const gains = new Float32Array(1 << OUTPUTS);
  const pair = new Float64Array(2);
  for (let step = 0; step < steps; step++) {
    fillGains(gains, soft, step * OUTPUTS);
    advance({ step, gains, patterns, scores, next, pair }, survivors);
    if (step >= bits) dropOnes(next);
    [scores, next] = [next, scores];
  }
  return traceBack(survivors, bits, steps);
}

/** Scores of all states before and after the step, and the gain of each pattern. */
interface Step {
  step: number;
  gains: Float32Array;
  patterns: Uint8Array;
  scores: Float32Array;
  next: Float32Array;
  pair: Float64Array;
}

/**
 * Writes the score of each state to `next`. The previous states `recent` and `older` differ only in their oldest bit,
 * which changes all outputs, as the newest bit does.
 */
function advance({ step, gains, patterns, scores, next, pair }: Step, survivors: Uint8Array): void {
  // A processor cannot predict the larger score, so an index selects it instead of a branch.
  for (let recent = 0; recent < STATES / 2; recent++) {
    const state = 2 * recent;
    const pattern = patterns[step * REGISTERS + state] ?? 0;
    const gain = gains[pattern] ?? 0;
    const opposite = gains[pattern ^ ALL_OUTPUTS] ?? 0;
    const fromRecent = scores[recent] ?? 0;
    const fromOlder = scores[recent + STATES / 2] ?? 0;
    pair[0] = fromRecent + gain;
    pair[1] = fromOlder + opposite;
    const isOlder = +(fromOlder + opposite > fromRecent + gain);
    next[state] = pair[isOlder] ?? 0;
    survivors[step * STATES + state] = isOlder;
    pair[0] = fromRecent + opposite;
    pair[1] = fromOlder + gain;
    const isOlderToo = +(fromOlder + gain > fromRecent + opposite);
    next[state + 1] = pair[isOlderToo] ?? 0;
    survivors[step * STATES + state + 1] = isOlderToo;
  }
}

/** All bits of the tail are zero. */
function dropOnes(scores: Float32Array): void {
  for (let state = 1; state < STATES; state += 2) scores[state] = Number.NEGATIVE_INFINITY;
}

/** The correlation of each pattern with the soft values from index `first` on. */
function fillGains(gains: Float32Array, soft: Float32Array, first: number): void {
  let total = 0;
  for (let output = 0; output < OUTPUTS; output++) total += soft[first + output] ?? 0;
  gains[0] = total;
  for (let pattern = 1; pattern < gains.length; pattern++) {
    const lowest = 31 - Math.clz32(pattern & -pattern);
    gains[pattern] = (gains[pattern & (pattern - 1)] ?? 0) - 2 * (soft[first + lowest] ?? 0);
  }
}

function traceBack(survivors: Uint8Array, bits: number, steps: number): bigint {
  let value = 0n;
  let state = 0;
  for (let step = steps - 1; step >= 0; step--) {
    if (step < bits && state & 1) value |= 1n << BigInt(bits - 1 - step);
    state = (state >> 1) | (survivors[step * STATES + state] ? STATES >> 1 : 0);
  }
  return value;
}
