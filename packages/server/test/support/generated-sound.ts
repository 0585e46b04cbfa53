import { sequence } from '../../../model/test/watermark/pictures.js';

/** Coloured noise whose level changes slowly, at 16 kHz. */
export function noisySound(seed: number, seconds = 8): Float32Array {
  const next = sequence(seed);
  let low = 0;
  return Float32Array.from({ length: seconds * 16_000 }, (_, at) => {
    low += (next() - 0.5 - low) * 0.4;
    return 0.5 * low * (0.6 + 0.4 * Math.sin(at / 3_000));
  });
}

/** Each channel has the same samples. */
export function toWavFile(
  samples: Float32Array,
  {
    bits = 16,
    channels = 1,
    kind = 1,
    sampleRate = 16_000,
    before = [] as Buffer[],
    after = [] as Buffer[],
  } = {},
): Buffer {
  const bytes = bits / 8;
  const data = Buffer.alloc(samples.length * bytes * channels);
  for (let at = 0; at < samples.length * channels; at++) {
    const value = Math.round((samples[Math.floor(at / channels)] ?? 0) * (2 ** (bits - 1) - 1));
    data.writeIntLE(value, at * bytes, bytes);
  }
  const format = Buffer.alloc(16);
  format.writeUInt16LE(kind, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * bytes * channels, 8);
  format.writeUInt16LE(bytes * channels, 12);
  format.writeUInt16LE(bits, 14);
  const content = [
    Buffer.from('WAVE'),
    riffChunk('fmt ', format),
    ...before,
    riffChunk('data', data),
    ...after,
  ];
  return riffChunk('RIFF', Buffer.concat(content));
}

export function riffChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
