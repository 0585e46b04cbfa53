import { DATA_WAVES, WAVES } from './carriers.js';
import type { Complex } from './fourier.js';
import { encodePayload } from './payload-code.js';
import { USUAL_LEVEL } from './strength.js';

/** Compensated share of the host interference (see `fitAmplitudes`) in payload waves. */
const DATA_SHARE = 0.6;
/** Share of the known waves that is compensated. */
const KNOWN_SHARE = 0.3;
/** Target of a known wave, relative to a payload wave. */
const KNOWN_MARGIN = 1.7;
/** Relative to the mean amplitude. */
const DATA_LIMIT = 2.5;
/** Relative to the mean amplitude. */
const KNOWN_LIMIT = 3.75;
const ROUNDS = 2;

/** The waves that the detector would read after a mark of these amplitudes is added. */
type Measure = (amplitudes: Complex) => Complex;

/**
 * Returns amplitudes in grey levels (informed embedding). The picture interferes with each wave: a wave gets a smaller
 * amplitude if this host interference has the wanted sign, and otherwise a larger one.
 */
export function fitAmplitudes(payload: bigint, measure: Measure): Complex {
  const signs = toSigns(payload);
  const host = measure({ re: new Float32Array(WAVES), im: new Float32Array(WAVES) });
  let amplitudes = toLevel(signs);
  for (let round = 0; round < ROUNDS; round++) {
    const marked = measure(amplitudes);
    const gain = toGain({ host, marked, amplitudes });
    const own = subtract(marked, amplitudes, gain);
    amplitudes = largestMargin((margin) => toAmplitudes({ signs, own, gain }, margin));
  }
  return amplitudes;
}

/** The known waves are real. */
function toSigns(payload: bigint): Complex {
  const code = encodePayload(payload);
  const re = new Float32Array(WAVES).fill(1);
  const im = new Float32Array(WAVES);
  for (let k = 0; k < DATA_WAVES; k++) {
    re[k] = code[2 * k] ?? 0;
    im[k] = code[2 * k + 1] ?? 0;
  }
  return { re, im };
}

/** Change of the measured value per grey level of amplitude. */
function toGain({ host, marked, amplitudes }: Record<'host' | 'marked' | 'amplitudes', Complex>): number {
  let moved = 0;
  let spent = 1e-9;
  for (const part of ['re', 'im'] as const) {
    for (const [k, amplitude] of amplitudes[part].entries()) {
      moved += ((marked[part][k] ?? 0) - (host[part][k] ?? 0)) * amplitude;
      spent += amplitude * amplitude;
    }
  }
  return Math.max(1e-3, moved / spent);
}

/** The measured value without the mark's own part. */
function subtract(marked: Complex, amplitudes: Complex, gain: number): Complex {
  const own = (part: 're' | 'im') =>
    marked[part].map((value, k) => value - gain * (amplitudes[part][k] ?? 0));
  return { re: own('re'), im: own('im') };
}

interface Fit {
  signs: Complex;
  own: Complex;
  gain: number;
}

function toAmplitudes({ signs, own, gain }: Fit, margin: number): Complex {
  const mean = USUAL_LEVEL / Math.sqrt(WAVES);
  const make = (part: 're' | 'im') =>
    signs[part].map((sign, k) => {
      const isKnown = k >= DATA_WAVES;
      const share = isKnown ? KNOWN_SHARE : DATA_SHARE;
      const needed = (margin * (isKnown ? KNOWN_MARGIN : 1) - share * sign * (own[part][k] ?? 0)) / gain;
      return sign * Math.max(0, Math.min(mean * (isKnown ? KNOWN_LIMIT : DATA_LIMIT), needed));
    });
  return { re: make('re'), im: make('im') };
}

/** The margin is the target of a payload wave. `USUAL_LEVEL` limits it. */
function largestMargin(toWaves: (margin: number) => Complex): Complex {
  let low = 0;
  let high = 20;
  for (let round = 0; round < 20; round++) {
    const middle = (low + high) / 2;
    if (powerOf(toWaves(middle)) > USUAL_LEVEL ** 2) high = middle;
    else low = middle;
  }
  return toLevel(toWaves(low));
}

/** Returns the power of the tile. */
function powerOf({ re, im }: Complex): number {
  let sum = 0;
  for (let k = 0; k < WAVES; k++) sum += ((re[k] ?? 0) ** 2 + (im[k] ?? 0) ** 2) / 2;
  return sum;
}

function toLevel(amplitudes: Complex): Complex {
  const scale = USUAL_LEVEL / Math.sqrt(powerOf(amplitudes) + 1e-9);
  return {
    re: amplitudes.re.map((value) => value * scale),
    im: amplitudes.im.map((value) => value * scale),
  };
}
