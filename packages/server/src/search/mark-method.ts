import { IMAGE_MARK_BINDING, SOUND_MARK_BINDING } from '@colophon/model';
import { IMAGE_MARK_METHOD } from './image-mark.js';
import { SOUND_MARK_METHOD } from './sound-mark.js';

/**
 * Maps the algorithm in a watermark's soft binding to the method of the watermark. The algorithms of neural models are
 * absent, because the method of such a watermark has the same name as the algorithm.
 */
export const MARK_METHODS: Readonly<Record<string, string>> = {
  [IMAGE_MARK_BINDING]: IMAGE_MARK_METHOD,
  [SOUND_MARK_BINDING]: SOUND_MARK_METHOD,
};

export const methodOfMark = (alg: string): string => MARK_METHODS[alg] ?? alg;
