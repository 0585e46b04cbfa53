import { SOUND_MARK_BINDING, toSoundMarkBinding } from '@colophon/model';
import type { MarkFormat } from './mark-format.js';

/** A change of the format needs a new name. */
export const SOUND_MARK_METHOD = 'sound-mark/1';

export const SOUND_MARK: MarkFormat = {
  alg: SOUND_MARK_BINDING,
  payloadBits: 32,
  toBinding: toSoundMarkBinding,
};

/** Sounds whose samples the service replaces without loss. */
export const MARKABLE_SOUND = /^audio\/wav$/;

export const MAX_MARKED_SECONDS = 600;

export const MAX_READ_SECONDS = 60;
/** Sample rate of a decoded sound, in Hz. The bands of a mark end at 6266 Hz. */
export const READ_RATE = 22_050;
export const READ_SAMPLE_BYTES = 2;

/** Memory for the levels of a sound of `MAX_MARKED_SECONDS`. */
const ANALYSIS_BYTES = 32 * 2 ** 20;
/**
 * Memory as a multiple of a file with 16-bit samples: the file in both threads, the samples as numbers of 32 bits, and
 * their marked copy.
 */
const COPIES = 7;

export function memoryToMarkSound(sizeBytes: number): number {
  return ANALYSIS_BYTES + COPIES * sizeBytes;
}
