import { describe, expect, it } from 'vitest';
import {
  detectImageMark,
  detectSoundMark,
  embedImageMark,
  embedSoundMark,
  type Sound,
} from '../../src/watermark/index.js';
import { decodeSoundBits, encodeSoundBits, SOUND_CODE_BITS } from '../../src/watermark/sound/sound-code.js';
import {
  scoreOfBits,
  smallestSoundScore,
  soundFalsePositiveRate,
} from '../../src/watermark/sound/sound-score.js';
import { expectToHold, readExamples } from '../support/docstring-examples.js';
import { sequence } from './pictures.js';
import { makeSound, resample } from './sounds.js';

const PAYLOAD = 0x89ab_cdefn;
const sound = makeSound(1);
const marked: Sound = { ...sound, channels: embedSoundMark(sound, PAYLOAD) };

const alter = ({ channels, ...sound }: Sound, change: (value: number, at: number) => number): Sound => ({
  ...sound,
  channels: channels.map((channel) => channel.map(change)),
});
const part = ({ channels, ...sound }: Sound, from: number, to: number): Sound => ({
  ...sound,
  channels: channels.map((channel) => channel.subarray(from * sound.sampleRate, to * sound.sampleRate)),
});
const toBytes = (channels: readonly Float32Array[]) =>
  Buffer.concat(
    channels.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
const powerOf = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);

describe('a sound mark', () => {
  it.each(readExamples(new URL('../../src/watermark/sound/', import.meta.url)))(
    'has examples that state the actual result: $file',
    ({ code }) => expectToHold(code, { detectImageMark, detectSoundMark, embedImageMark, embedSoundMark }),
  );

  it('returns its payload from the marked sound, and no mark from the unmarked sound', () => {
    expect(detectSoundMark(marked)).toMatchObject({ payload: PAYLOAD });
    expect(detectSoundMark(sound)).toBeUndefined();
  });

  it('gives the same samples for the same sound and payload, and does not change the input', () => {
    const before = toBytes(sound.channels);
    expect(toBytes(embedSoundMark(sound, PAYLOAD)).equals(toBytes(marked.channels))).toBe(true);
    expect(toBytes(embedSoundMark(sound, PAYLOAD + 1n)).equals(toBytes(marked.channels))).toBe(false);
    expect(toBytes(sound.channels).equals(before)).toBe(true);
  });

  it('is more than 20 dB below the sound', () => {
    const [before = new Float32Array(), after = before] = [sound.channels[0], marked.channels[0]];
    const change = after.map((value, at) => value - (before[at] ?? 0));
    expect(10 * Math.log10(powerOf(before) / powerOf(change))).toBeGreaterThan(20);
  });

  const next = sequence(3);
  const level = Math.sqrt(powerOf(marked.channels[0] ?? new Float32Array()) / (12 * 16_000));
  it.each([
    ['a cut of 6 s', part(marked, 4.3, 10.3)],
    ['a cut of 8 s at another rate', resample(part(marked, 1.77, 9.77), 22_050)],
    // Uniform noise from -1 to 1 has a mean square of a third.
    [
      'noise at 30 dB',
      alter(marked, (value) => value + level * 10 ** -1.5 * Math.sqrt(3) * (2 * next() - 1)),
    ],
    ['a quarter of the volume with 8 bits', alter(marked, (value) => Math.round(value * 32) / 128)],
  ])('survives %s', (_, altered) => {
    expect(detectSoundMark(altered)).toMatchObject({ payload: PAYLOAD });
  });

  it('is found in a sound of 3 minutes of which only 8 s are marked', () => {
    const rate = 8_000;
    const long = makeSound(2, { seconds: 180, sampleRate: rate });
    const [channel = new Float32Array()] = long.channels;
    const copy = embedSoundMark({ ...long, channels: [channel.subarray(50 * rate, 58 * rate)] }, 77n);
    channel.set(copy[0] ?? [], 50 * rate);
    expect(detectSoundMark(long)).toMatchObject({ payload: 77n });
  });

  it('is found in each of three channels alone, and in all of them together', () => {
    const three = makeSound(4, { channels: 3, seconds: 10 });
    const copy = embedSoundMark(three, 5n);
    expect(copy).toHaveLength(3);
    for (const channel of copy)
      expect(detectSoundMark({ ...three, channels: [channel] })).toMatchObject({ payload: 5n });
    expect(detectSoundMark({ ...three, channels: copy })).toMatchObject({ payload: 5n });
  });

  it('carries the smallest and the largest payload, and payloads between them', () => {
    const short = makeSound(5, { seconds: 8 });
    for (const payload of [0n, 1n, 2n ** 31n, 2n ** 32n - 1n])
      expect(detectSoundMark({ ...short, channels: embedSoundMark(short, payload) })?.payload).toBe(payload);
  });

  it('throws RangeError for a wrong payload, a wrong rate, no channels, and channels of different lengths', () => {
    expect(() => embedSoundMark(sound, 2n ** 32n)).toThrow(RangeError);
    expect(() => embedSoundMark(sound, -1n)).toThrow(RangeError);
    expect(() => detectSoundMark({ ...sound, sampleRate: 7_999 })).toThrow(RangeError);
    expect(() => detectSoundMark({ ...sound, sampleRate: Number.NaN })).toThrow(RangeError);
    const channels = [new Float32Array(9), new Float32Array(8)];
    expect(() => embedSoundMark({ sampleRate: 8_000, channels }, 1n)).toThrow(RangeError);
    expect(() => detectSoundMark({ sampleRate: 8_000, channels: [] })).toThrow(RangeError);
  });

  it('is not found in 12 cuts of 3 sounds without a mark', () => {
    const next = sequence(7);
    const sounds = [20, 21, 22].map((seed) => makeSound(seed));
    for (let number = 0; number < 12; number++) {
      const from = 6 * next();
      expect(detectSoundMark(part(sounds[number % 3] ?? sound, from, from + 2 + 4 * next()))).toBeUndefined();
    }
  });

  it('can be copied into another sound by anybody: a mark alone proves no origin', () => {
    const other = makeSound(6, { seconds: 8 });
    const channels = embedSoundMark(other, detectSoundMark(marked)?.payload ?? 0n);
    expect(detectSoundMark({ ...other, channels })).toMatchObject({ payload: PAYLOAD });
  });

  it.each([
    ['silence', 16_000, 80_000],
    ['no samples', 16_000, 0],
    ['one sample', 44_100, 1],
    ['half a second', 8_000, 4_000],
  ])('is not found in %s, and embedding it there changes nothing', (_, sampleRate, length) => {
    const plain: Sound = { sampleRate, channels: [new Float32Array(length)] };
    expect(detectSoundMark(plain)).toBeUndefined();
    expect(toBytes(embedSoundMark(plain, PAYLOAD)).equals(toBytes(plain.channels))).toBe(true);
  });
});

describe('the smallest score of a sound mark', () => {
  it('has a false-positive rate of 10^-6, and 100 sequences of random bits stay below the score', () => {
    expect(soundFalsePositiveRate(smallestSoundScore)).toBeCloseTo(1e-6, 12);
    const next = sequence(11);
    for (let round = 0; round < 100; round++) {
      const soft = Float32Array.from({ length: SOUND_CODE_BITS }, () => (next() < 0.5 ? -1 : 1));
      const { bits, payload } = decodeSoundBits(soft);
      expect(payload !== undefined && scoreOfBits(soft, bits) >= smallestSoundScore).toBe(false);
    }
  });

  it('assumes a mean of 0 and a deviation of 1, close to those of 4,000 random sequences', () => {
    const next = sequence(12);
    const scores = Array.from({ length: 4_000 }, () => {
      const soft = Float32Array.from({ length: SOUND_CODE_BITS }, () => (next() - 0.5) * next());
      return scoreOfBits(soft, BigInt(Math.floor(next() * 2 ** 48)));
    });
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const square = scores.reduce((sum, score) => sum + score * score, 0) / scores.length;
    expect(Math.abs(mean)).toBeLessThan(0.06);
    expect(Math.abs(square - 1)).toBeLessThan(0.09);
    expect(encodeSoundBits(0n)).toHaveLength(SOUND_CODE_BITS);
  });
});
