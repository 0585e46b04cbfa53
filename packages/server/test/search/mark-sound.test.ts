import { describe, expect, it } from 'vitest';
import { readWav } from '../../src/search/audio/wav.js';
import { SOUND_MARK } from '../../src/search/sound-mark.js';
import { markSound, readSoundMark } from '../../src/search/worker/mark-sound.js';
import { noisySound, riffChunk, toWavFile } from '../support/generated-sound.js';

const PAYLOAD = 0x0123_4567n;
const sound = noisySound(1);

function marked(bytes: Uint8Array): Buffer {
  const answer = markSound({ bytes, payload: PAYLOAD });
  if (answer.kind === 'unmarked') throw new Error(answer.reason);
  return Buffer.from(answer.bytes);
}

function samplesOf(bytes: Uint8Array): readonly Float32Array[] {
  const wav = readWav(bytes);
  if (typeof wav === 'string') throw new Error(wav);
  return wav.sound.channels;
}

const powerOf = (values: Float32Array) => values.reduce((sum, value) => sum + value * value, 0);

describe('a watermark in a WAV file', () => {
  it.each([
    ['16 bits', {}],
    ['24 bits, two channels', { bits: 24, channels: 2 }],
    ['three channels', { channels: 3 }],
  ])('%s: keeps the format, changes little, and is read back', (_, shape) => {
    const file = toWavFile(sound, shape);
    const copy = marked(file);
    expect(copy).toHaveLength(file.length);
    expect(copy.subarray(0, 44).equals(file.subarray(0, 44))).toBe(true);
    expect(readSoundMark(copy)).toEqual({ kind: 'read', bindings: [SOUND_MARK.toBinding(PAYLOAD)] });
    expect(readSoundMark(file)).toEqual({ kind: 'read', bindings: [] });
    const after = samplesOf(copy);
    for (const [at, before] of samplesOf(file).entries()) {
      const change = before.map((value, sample) => value - (after[at]?.[sample] ?? 0));
      expect(powerOf(change) / powerOf(before)).toBeLessThan(0.02);
    }
  });

  it('keeps all chunks except the manifest, and drops bytes after the last chunk', () => {
    const [list, cue] = [riffChunk('LIST', Buffer.from('INFOabc')), riffChunk('cue ', Buffer.alloc(6, 1))];
    const manifest = riffChunk('C2PA', Buffer.alloc(33, 2));
    const file = toWavFile(sound, { before: [list], after: [manifest, cue] });
    const plain = toWavFile(sound, { before: [list], after: [cue] });
    expect(marked(file).equals(marked(plain))).toBe(true);
    expect(marked(plain)).toHaveLength(plain.length);
    expect(marked(plain).subarray(-cue.length).equals(cue)).toBe(true);
    expect(marked(Buffer.concat([plain, Buffer.alloc(5, 7)])).equals(marked(plain))).toBe(true);
  });

  it('covers the samples up to the end of a file whose data chunk states no valid length', () => {
    const file = toWavFile(sound);
    const streamed = Buffer.from(file);
    streamed.writeUInt32LE(0xffff_ffff, 40);
    expect(marked(streamed).equals(marked(file))).toBe(true);
  });

  it('clips samples at full scale, so that no sample changes its sign', () => {
    const loud = noisySound(2).map((value) => Math.max(-1, Math.min(1, 12 * value)));
    const [before = new Float32Array()] = samplesOf(toWavFile(loud));
    const [after = before] = samplesOf(marked(toWavFile(loud)));
    expect(before.filter((value, at) => Math.abs(value - (after[at] ?? 0)) > 1)).toHaveLength(0);
  });

  it.each<[string, Buffer, RegExp]>([
    ['samples of 8 bits', toWavFile(sound, { bits: 8 }), /16 or 24 bits/],
    ['samples with another coding', toWavFile(sound, { kind: 3 }), /PCM/],
    ['a rate of 4 kHz', toWavFile(sound, { sampleRate: 4_000 }), /4000 Hz/],
    ['9 channels', toWavFile(sound.subarray(0, 99), { channels: 9 }), /1 to 8 channels/],
    ['no channels', toWavFile(sound.subarray(0, 99), { channels: 0 }), /1 to 8 channels/],
    ['a quarter of a second of sound', toWavFile(sound.subarray(0, 4_000)), /too short/],
    ['silence', toWavFile(new Float32Array(160_000)), /too quiet/],
    ['no samples', toWavFile(new Float32Array()), /too short/],
    [
      'more than 10 minutes of sound',
      toWavFile(new Float32Array(8_000 * 601), { sampleRate: 8_000 }),
      /10 minutes/,
    ],
    ['two data chunks', toWavFile(sound, { after: [riffChunk('data', Buffer.alloc(4))] }), /damaged/],
    [
      'more than 1000 chunks',
      toWavFile(sound, { before: Array.from({ length: 999 }, () => riffChunk('LIST', Buffer.alloc(0))) }),
      /at most 1000 chunks/,
    ],
    ['only its header', toWavFile(sound).subarray(0, 20), /damaged/],
    ['another format', Buffer.from('RF64 and more bytes than a header has'), /RIFF/],
  ])('is not added to a file with %s, and the answer states the reason', (_, bytes, reason) => {
    expect(markSound({ bytes, payload: PAYLOAD })).toEqual({
      kind: 'unmarked',
      reason: expect.stringMatching(reason),
    });
  });

  it('causes no exception when the search reads a damaged header', () => {
    const file = toWavFile(sound.subarray(0, 800));
    for (let at = 0; at < 44; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const bytes = Buffer.from(file);
        bytes[at] = value;
        expect(['read', 'unread']).toContain(readSoundMark(bytes).kind);
      }
    }
  });
});
