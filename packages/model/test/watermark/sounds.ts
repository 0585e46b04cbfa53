import type { Sound } from '../../src/watermark/index.js';
import { sequence } from './pictures.js';

/** Notes with harmonics over coloured noise. */
export function makeSound(seed: number, { seconds = 12, sampleRate = 16_000, channels = 1 } = {}): Sound {
  const next = sequence(seed);
  const length = seconds * sampleRate;
  const mono = new Float32Array(length);
  let low = 0;
  for (let at = 0; at < length; at++) {
    low += (next() - 0.5 - low) * 0.5;
    mono[at] = 0.1 * low;
  }
  for (let start = 0; start < length; start += 0.3 * sampleRate) {
    const pitch = (2 * Math.PI * 150 * 2 ** (Math.floor(next() * 20) / 12)) / sampleRate;
    for (let n = 0; n < sampleRate * 0.6 && start + n < length; n++) {
      const loud = 0.15 * Math.min(1, n / 200) * Math.exp((-4 * n) / sampleRate);
      let sum = 0;
      for (let harmonic = 1; harmonic < 9; harmonic++) sum += Math.sin(harmonic * pitch * n) / harmonic;
      mono[Math.floor(start) + n] = (mono[Math.floor(start) + n] ?? 0) + loud * sum;
    }
  }
  const gains = Array.from({ length: channels }, (_, channel) => 1 - 0.3 * channel);
  return { sampleRate, channels: gains.map((gain) => mono.map((value) => gain * value)) };
}

/** Interpolates linearly between the samples. */
export function resample({ sampleRate, channels }: Sound, rate: number): Sound {
  const step = sampleRate / rate;
  return {
    sampleRate: rate,
    channels: channels.map((channel) =>
      Float32Array.from({ length: Math.floor(channel.length / step) }, (_, at) => {
        const from = Math.floor(at * step);
        const part = at * step - from;
        return (channel[from] ?? 0) * (1 - part) + (channel[from + 1] ?? 0) * part;
      }),
    ),
  };
}
