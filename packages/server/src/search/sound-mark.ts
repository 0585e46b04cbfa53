/** The method of the watermark of sounds. A change of its format needs a new name. */
export const SOUND_MARK_METHOD = 'sound-mark/1';

/** Sounds from which the service reads a watermark, and whose samples it replaces without loss. */
export const MARKABLE_SOUND = /^audio\/wav$/;

/** Longest sound with a watermark, in seconds. */
export const MAX_MARKED_SECONDS = 600;

/** Memory beside the samples: the levels of a sound of the longest duration. */
const ANALYSIS_BYTES = 32 * 2 ** 20;
/**
 * The memory in sizes of a file of 16 bits: the file in both threads, its samples as numbers of 32 bits, and their
 * marked copy.
 */
const COPIES = 7;

/** Returns the bytes of memory that it takes to mark or to read a sound file. */
export function memoryToMarkSound(sizeBytes: number): number {
  return ANALYSIS_BYTES + COPIES * sizeBytes;
}
