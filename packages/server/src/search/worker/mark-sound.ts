import { detectSoundMark, embedSoundMark, type Sound } from '@colophon/model/watermark';
import { readWav, type WavCopy, writeWav } from '../audio/wav.js';
import { includesBinding } from '../mark-format.js';
import { READ_RATE, READ_SAMPLE_BYTES, SOUND_MARK } from '../sound-mark.js';
import type { Marking, MarkReading, MarkTask } from './protocol.js';

/**
 * Adds a watermark to a WAV file, and keeps all chunks except the manifest. Reads the mark back: a sound that cannot
 * carry a mark stays unmarked.
 */
export function markSound({ bytes, payload }: Pick<MarkTask, 'bytes' | 'payload'>): Marking {
  const decoded = decodeWithMark(bytes, payload);
  if (typeof decoded === 'string') return { kind: 'unmarked', reason: decoded };
  const marked = writeWav(decoded.copy, decoded.channels);
  const reading = readSoundMark(marked);
  const added = SOUND_MARK.toBinding(payload);
  if (reading.kind === 'read' && includesBinding(reading.bindings, added))
    return { kind: 'marked', bytes: marked };
  return { kind: 'unmarked', reason: 'The sound is too short or too quiet to carry a watermark.' };
}

/** Returns no unmarked samples, so that they are freed before the encoding. */
function decodeWithMark(
  bytes: Uint8Array,
  payload: bigint,
): { copy: WavCopy; channels: Float32Array[] } | string {
  const wav = readWav(bytes);
  if (typeof wav === 'string') return wav;
  const { sound, ...copy } = wav;
  return { copy, channels: embedSoundMark(sound, payload) };
}

export function readSoundMark(bytes: Uint8Array): MarkReading {
  const wav = readWav(bytes);
  if (typeof wav === 'string') return { kind: 'unread', reason: wav };
  return readMark(wav.sound);
}

export function readSampleMark(bytes: Uint8Array): MarkReading {
  const integers = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(Math.floor(integers.length / READ_SAMPLE_BYTES));
  for (let at = 0; at < samples.length; at++)
    samples[at] = integers.readInt16LE(at * READ_SAMPLE_BYTES) / 2 ** 15;
  return readMark({ sampleRate: READ_RATE, channels: [samples] });
}

function readMark(sound: Sound): MarkReading {
  const found = detectSoundMark(sound);
  return { kind: 'read', bindings: found === undefined ? [] : [SOUND_MARK.toBinding(found.payload)] };
}
