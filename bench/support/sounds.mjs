// The same seed gives the same melody on every machine.

import { createNext } from './random.mjs';

const RATE = 22_050;
const SALT = 0x27d4eb2f;

export function makeSound(number, seconds = 30) {
  const random = createNext(number, SALT);
  const samples = new Float32Array(RATE * seconds);
  const scale = [0, 2, 3, 5, 7, 8, 10, 12].map((step) => step + Math.floor(random() * 2));
  const root = 110 * 2 ** (Math.floor(random() * 12) / 12);
  const beat = 0.18 + random() * 0.25;
  const [bright, deep] = [0.2 + random() * 0.6, random()];
  for (let start = 0; start < seconds; start += beat) {
    const pitch =
      root * 2 ** ((scale[Math.floor(random() * scale.length)] + 12 * Math.floor(random() * 2)) / 12);
    addNote(samples, { start, length: beat * (1 + random() * 2), pitch, bright });
    if (random() < deep) addNote(samples, { start, length: beat, pitch: root / 2, bright: 0.1 });
    if (random() < 0.4) addNoise(samples, { start, length: 0.04, random });
  }
  return samples;
}

export const CHANGES = {
  quieter: (samples) => samples.map((value) => value * 0.3),
  'without the first 5 s': (samples) => samples.slice(RATE * 5),
  'the middle half': (samples) => samples.slice(samples.length / 4, (samples.length * 3) / 4),
  'with noise': (samples) => {
    const random = createNext(99, SALT);
    return samples.map((value) => value + (random() - 0.5) * 0.06);
  },
  muffled: (samples) => {
    let last = 0;
    return samples.map((value) => {
      last += (value - last) * 0.35;
      return last;
    });
  },
  '8 bits a sample': (samples) => samples.map((value) => Math.round(value * 127) / 127),
};

export function toWav(samples) {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [index, value] of samples.entries())
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_000), 44 + index * 2);
  return bytes;
}

function addNote(samples, { start, length, pitch, bright }) {
  const [from, count] = [Math.floor(start * RATE), Math.floor(length * RATE)];
  for (let index = 0; index < count && from + index < samples.length; index++) {
    const time = index / RATE;
    const loud = 0.25 * Math.min(1, time / 0.01) * Math.exp((-3 * time) / length);
    const turn = 2 * Math.PI * pitch * time;
    samples[from + index] +=
      loud * (Math.sin(turn) + bright * Math.sin(2 * turn) + 0.5 * bright * Math.sin(3 * turn));
  }
}

function addNoise(samples, { start, length, random }) {
  const [from, count] = [Math.floor(start * RATE), Math.floor(length * RATE)];
  for (let index = 0; index < count && from + index < samples.length; index++)
    samples[from + index] += (random() - 0.5) * 0.2 * (1 - index / count);
}
