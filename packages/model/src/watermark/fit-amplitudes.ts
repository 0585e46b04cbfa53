import { DATA_WAVES, WAVES } from './carriers.js';
import type { Complex } from './fourier.js';
import { encodePayload } from './payload-code.js';
import { USUAL_LEVEL } from './strength.js';

/** Share of the host interference (see `fitAmplitudes`) that the embedder compensates in payload waves. */
const DATA_SHARE = 0.6;
/** Share of the host interference that the embedder compensates in known waves. */
const KNOWN_SHARE = 0.3;
/** Target value of a known wave, relative to a payload wave. */
const KNOWN_MARGIN = 1.7;
/** Largest amplitude of a payload wave, relative to the mean amplitude. */
const DATA_LIMIT = 2.5;
/** Largest amplitude of a known wave, relative to the mean amplitude. */
const KNOWN_LIMIT = 3.75;
const ROUNDS = 2;

/** Returns the waves that the detector would read from the picture after a mark of these amplitudes is added. */
type Measure = (amplitudes: Complex) => Complex;

/**
 * Returns the amplitudes of the waves in grey levels (informed embedding). The picture interferes with each wave, and
 * the embedder measures this host interference. If the interference has the wanted sign, the wave gets a smaller
 * amplitude. Otherwise it gets a larger amplitude.
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

/** The wanted sign of the real and the imaginary part of each wave; the known waves are real. */
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

/** Returns the change in the value that the detector measures, per grey level of amplitude. */
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

/** Returns the host interference in each wave: the measured value without the mark's own part. */
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

/** Returns the amplitudes with the largest margin (target value of a payload wave) that `USUAL_LEVEL` allows. */
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

/** Mean square of the tile. */
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
