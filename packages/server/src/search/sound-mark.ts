import { SOUND_MARK_BINDING, toSoundMarkBinding } from '@colophon/model';
import type { MarkFormat } from './mark-format.js';

/** The method of the watermark of sounds. A change of its format needs a new name. */
export const SOUND_MARK_METHOD = 'sound-mark/1';

/** The payload format of the watermark for sounds. */
export const SOUND_MARK: MarkFormat = {
  alg: SOUND_MARK_BINDING,
  payloadBits: 32,
  toBinding: toSoundMarkBinding,
};

/** Media type of sounds whose samples the service reads itself, and replaces without loss. */
export const MARKABLE_SOUND = /^audio\/wav$/;

/** Longest sound with a watermark, in seconds. */
export const MAX_MARKED_SECONDS = 600;

/** The service decodes only this many seconds of a compressed sound, from its beginning. */
export const MAX_READ_SECONDS = 60;
/** Sample rate to which a compressed sound is decoded, in Hz. The bands of a mark end at 6266 Hz. */
export const READ_RATE = 22_050;
/** Bytes of a decoded sample. */
export const READ_SAMPLE_BYTES = 2;

/** Memory for the levels of a sound of `MAX_MARKED_SECONDS`, in addition to the memory for its samples. */
const ANALYSIS_BYTES = 32 * 2 ** 20;
/**
 * Memory of a task, as a multiple of the size of a file with 16-bit samples. It counts the file in both threads, the
 * samples as numbers of 32 bits, and the marked copy of the samples.
 */
const COPIES = 7;

/** Returns the bytes of memory that it takes to mark or to read a sound file. */
export function memoryToMarkSound(sizeBytes: number): number {
  return ANALYSIS_BYTES + COPIES * sizeBytes;
}
