import type { Complex } from '../fourier.js';
import { createMarkFrame } from './mark-frame.js';
import { readRows } from './rows.js';
import { assertSound, type Sound, toMono } from './sound.js';
import { SOUND_MARK_BITS } from './sound-code.js';
import { toTileGains } from './tile-gains.js';

/**
 * Returns the channels of the sound with a 32-bit payload as a mark: small changes of the level, up to about 2.4 dB,
 * in chips of 48 ms in 22 bands from 450 to 6266 Hz. The same input always gives the same samples. The mark also has a
 * checksum of 16 bits, and the detector ignores a mark whose checksum is wrong. All channels get the
 * same changes of the level.
 *
 * @example
 * let noise = 1;
 * const random = () => (noise = (noise * 48271) % 2147483647) / 2147483647 - 0.5;
 * const sound = { sampleRate: 16000, channels: [Float32Array.from({ length: 160000 }, random)] };
 * const marked = { ...sound, channels: embedSoundMark(sound, 7n) };
 * detectSoundMark(marked).payload; // => 7n
 * detectSoundMark(sound); // => undefined
 *
 * @throws RangeError if the payload is negative or has more than 32 bits, if the sample rate is not from 8000 to
 * 768000 Hz, or if the sound has no channels or channels of different lengths
 */
export function embedSoundMark(sound: Sound, payload: bigint): Float32Array[] {
  assertSound(sound);
  if (payload < 0n || payload >> BigInt(SOUND_MARK_BITS) !== 0n) {
    throw new RangeError(`The payload ${payload} is not a number of ${SOUND_MARK_BITS} bits, 0 to 2^32 - 1.`);
  }
  const gains = toTileGains(readRows(toMono(sound), sound.sampleRate), payload);
  const { channels } = sound;
  return channels.flatMap((_, at) =>
    at % 2 === 0 ? markPair({ ...sound, channels: channels.slice(at, at + 2) }, gains) : [],
  );
}

/** One transform marks two channels: the second one is the imaginary part. */
function markPair({ sampleRate, channels }: Sound, gains: Float32Array): Float32Array[] {
  const { size, hop, window, toChange } = createMarkFrame(sampleRate, gains);
  const length = channels[0]?.length ?? 0;
  const marked = channels.map((channel) => Float32Array.from(channel));
  const change: Complex = { re: new Float32Array(size), im: new Float32Array(size) };
  const parts = [change.re, change.im];
  for (let start = hop - size; start < length; start += hop) {
    for (const [at, part] of parts.entries()) {
      for (let n = 0; n < size; n++) part[n] = (channels[at]?.[start + n] ?? 0) * (window[n] ?? 0);
    }
    toChange(change, (start + size / 2) / sampleRate);
    for (const [at, target] of marked.entries()) addWindowed(target, parts[at] ?? target, { start, window });
  }
  return marked;
}

function addWindowed(
  target: Float32Array,
  part: Float32Array,
  { start, window }: { start: number; window: Float32Array },
): void {
  const end = Math.min(part.length, target.length - start);
  for (let n = Math.max(0, -start); n < end; n++)
    target[start + n] = (target[start + n] ?? 0) + (part[n] ?? 0) * (window[n] ?? 0);
}
