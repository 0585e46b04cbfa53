// Generates music and speech-like sounds from a seed.
import { createNext } from './random.mjs';

export const RATE = 44_100;
const SALT = 0x6d7a736b;

export const KINDS = { music: makeMusic, speech: makeSpeech };

/** Chords of notes with many harmonics, a bass, and a drum set of noise. */
export function makeMusic(number, seconds = 30) {
  const random = createNext(number, SALT);
  const samples = new Float32Array(RATE * seconds);
  const beat = 0.25 + 0.35 * random();
  const root = 110 * 2 ** (Math.floor(random() * 12) / 12);
  const timbre = { decay: 0.55 + 0.35 * random(), odd: random(), pad: random() };
  const drums = random() < 0.75 ? 0.1 + 0.25 * random() : 0;
  const steps = [0, 2, 4, 5, 7, 9, 11];
  for (let start = 0, count = 0; start < seconds; start += beat, count++) {
    const degree = Math.floor(random() * 7);
    const notes = count % 4 === 0 ? [degree, degree + 2, degree + 4] : [degree];
    for (const note of notes) {
      const pitch =
        root * 2 ** ((steps[note % 7] + 12 * Math.floor(note / 7) + (random() < 0.3 ? 12 : 0)) / 12);
      addNote(samples, { start, length: beat * (1 + 2 * random()), pitch, random, ...timbre });
    }
    if (random() < 0.5) addNote(samples, { start, length: beat * 2, pitch: root / 2, random, ...timbre });
    if (drums > 0) {
      addBurst(samples, { start, length: 0.05, loud: drums * 0.5, bright: 0.9, random });
      if (count % 2 === 1) addBurst(samples, { start, length: 0.15, loud: drums, bright: 0.4, random });
    }
  }
  return toLevel(samples, 0.08 + 0.1 * random());
}

/** Vowels (pulses of a voice through four resonators), fricatives of noise, and pauses. */
export function makeSpeech(number, seconds = 30) {
  const random = createNext(number, SALT ^ 0x5350);
  const samples = new Float32Array(RATE * seconds);
  const voice = 90 + 130 * random();
  const size = 0.9 + 0.25 * random();
  for (let at = 0.1 * random(); at < seconds; ) {
    const [kind, length] = [random(), 0.07 + 0.16 * random()];
    const range = [Math.floor(at * RATE), Math.min(samples.length, Math.floor((at + length) * RATE))];
    if (kind < 0.66) addVowel(samples, { range, pitch: voice * (0.8 + 0.45 * random()), size, random });
    else if (kind < 0.88) addFricative(samples, { range, random });
    at += length + (random() < 0.08 ? 0.35 * random() : 0);
  }
  const room = 0.0005 + 0.001 * random();
  for (let index = 0; index < samples.length; index++) samples[index] += room * (random() + random() - 1);
  return toLevel(samples, 0.05 + 0.08 * random());
}

function addNote(samples, { start, length, pitch, decay, odd, pad, random }) {
  const [from, count] = [Math.floor(start * RATE), Math.floor(length * RATE)];
  const detune = 1 + 0.003 * (random() - 0.5);
  const attack = pad > 0.6 ? 0.08 : 0.006;
  for (let harmonic = 1; harmonic * pitch < 12_000 && harmonic < 40; harmonic++) {
    const loud = decay ** (harmonic - 1) * (harmonic % 2 === 0 ? 1 - 0.7 * odd : 1);
    if (loud < 1e-4) break;
    const turn = (2 * Math.PI * pitch * detune * harmonic) / RATE;
    const phase = 2 * Math.PI * random();
    const fall = ((1 - pad) * (2 + harmonic * 0.4)) / (length * RATE);
    for (let index = 0; index < count && from + index < samples.length; index++) {
      const edge = Math.min(1, index / RATE / attack, (count - index) / RATE / 0.02);
      samples[from + index] += 0.1 * loud * edge * Math.exp(-fall * index) * Math.sin(turn * index + phase);
    }
  }
}

function addBurst(samples, { start, length, loud, bright, random }) {
  const [from, count] = [Math.floor(start * RATE), Math.floor(length * 3 * RATE)];
  let low = 0;
  for (let index = 0; index < count && from + index < samples.length; index++) {
    const noise = random() * 2 - 1;
    low += (noise - low) * 0.2;
    samples[from + index] +=
      loud * (bright * (noise - low) + (1 - bright) * low * 2) * Math.exp(-index / RATE / length);
  }
}

function resonator(hertz, width) {
  const radius = Math.exp((-Math.PI * width) / RATE);
  const [a, b] = [2 * radius * Math.cos((2 * Math.PI * hertz) / RATE), -radius * radius];
  let [one, two] = [0, 0];
  return (value) => {
    const next = (1 - radius) * value + a * one + b * two;
    two = one;
    one = next;
    return next;
  };
}

function addVowel(samples, { range: [from, to], pitch, size, random }) {
  const centres = [300 + 500 * random(), 900 + 1300 * random(), 2400 + 600 * random(), 3500];
  const filters = centres.map((hertz, index) => resonator(hertz * size, 60 + 40 * index));
  let phase = 0;
  let flow = 0;
  for (let at = from; at < to; at++) {
    const where = (at - from) / (to - from);
    phase += (pitch * (1.05 - 0.1 * where)) / RATE;
    const pulse = phase >= 1 ? 1 : 0;
    if (phase >= 1) phase -= 1;
    flow += (pulse + 0.004 * (random() - 0.5) - flow) * 0.3;
    const sum = filters.reduce((total, filter, index) => total + filter(flow * 40) / (1 + 0.5 * index), 0);
    samples[at] += sum * Math.sin(Math.PI * where) ** 0.5;
  }
}

function addFricative(samples, { range: [from, to], random }) {
  const filter = resonator(2500 + 4500 * random(), 1500);
  for (let at = from; at < to; at++) {
    const where = (at - from) / (to - from);
    samples[at] += 0.5 * filter(random() * 2 - 1) * Math.sin(Math.PI * where);
  }
}

/** Scales samples so that their root mean square is `level`, and limits the peaks to full scale, which is 1. */
function toLevel(samples, level) {
  let squares = 0;
  for (const value of samples) squares += value * value;
  const factor = level / Math.sqrt(squares / samples.length + 1e-12);
  return samples.map((value) => Math.tanh(value * factor));
}
