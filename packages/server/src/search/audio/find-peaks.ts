import { MAX_READ_SECONDS, READ_SAMPLE_BYTES } from '../sound-mark.js';
import { openPcm } from './wav.js';

export const PEAKS = 64;

/** Returns undefined for an unreadable file. */
export function findPeaksOfWav(file: Uint8Array): Float32Array | undefined {
  const opened = openPcm(file);
  if (typeof opened === 'string') return undefined;
  const { data, frames, channels, sampleRate, sampleBytes } = opened;
  const values = Math.min(frames, MAX_READ_SECONDS * sampleRate) * channels;
  const full = 2 ** (8 * sampleBytes - 1);
  return findPeaks(values, (at) => data.readIntLE(at * sampleBytes, sampleBytes) / full);
}

export function findPeaksOfSamples(samples: Uint8Array): Float32Array | undefined {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const values = Math.floor(samples.length / READ_SAMPLE_BYTES);
  return findPeaks(values, (at) => data.readInt16LE(at * READ_SAMPLE_BYTES) / 2 ** 15);
}

/** Returns a peak from 0 to 1 for each part; undefined without values. `valueAt` returns a number from -1 to 1. */
function findPeaks(values: number, valueAt: (at: number) => number): Float32Array | undefined {
  if (values === 0) return undefined;
  const peaks = new Float32Array(PEAKS);
  for (let at = 0; at < values; at++) {
    const part = Math.floor((at * PEAKS) / values);
    const amplitude = Math.abs(valueAt(at));
    if (amplitude > (peaks[part] ?? 1)) peaks[part] = amplitude;
  }
  return peaks;
}
