import { IMAGE_MARK_BINDING, SOUND_MARK_BINDING } from '@colophon/model';
import { IMAGE_MARK_METHOD } from './image-mark.js';
import { SOUND_MARK_METHOD } from './sound-mark.js';

/**
 * The method of a watermark, for each algorithm of its soft binding. The algorithms of neural models are absent,
 * because their methods have the names of the algorithms.
 */
export const MARK_METHODS: Readonly<Record<string, string>> = {
  [IMAGE_MARK_BINDING]: IMAGE_MARK_METHOD,
  [SOUND_MARK_BINDING]: SOUND_MARK_METHOD,
};

export const methodOfMark = (alg: string): string => MARK_METHODS[alg] ?? alg;
