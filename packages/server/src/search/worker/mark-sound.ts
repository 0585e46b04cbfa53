import { detectSoundMark, embedSoundMark } from '@colophon/model/watermark';
import { readWav, writeWav } from '../audio/wav.js';
import type { Marking, MarkReading, MarkTask } from './protocol.js';

/**
 * Adds a watermark to the samples of a WAV file, and keeps all other chunks but the manifest. It reads the mark back, so
 * a sound that cannot carry one stays unmarked.
 */
export function markSound({ bytes, payload }: Pick<MarkTask, 'bytes' | 'payload'>): Marking {
  const wav = readWav(bytes);
  if (typeof wav === 'string') return { kind: 'unmarked', reason: wav };
  const marked = writeWav(wav, embedSoundMark(wav.sound, payload));
  const reading = readSoundMark(marked);
  if (reading.kind === 'read' && reading.payload === payload) return { kind: 'marked', bytes: marked };
  return { kind: 'unmarked', reason: 'The sound is too short or too quiet to carry a watermark.' };
}

/** Reads the watermark of a WAV file. */
export function readSoundMark(bytes: Uint8Array): MarkReading {
  const wav = readWav(bytes);
  if (typeof wav === 'string') return { kind: 'unread', reason: wav };
  return { kind: 'read', payload: detectSoundMark(wav.sound)?.payload };
}
