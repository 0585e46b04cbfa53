import { IMAGE_MARK_BINDING, SOUND_MARK_BINDING } from '@colophon/model';
import { IMAGE_MARK_METHOD } from './image-mark.js';
import { SOUND_MARK_METHOD } from './sound-mark.js';

/**
 * Maps the algorithm of a soft binding to its method. Neural models are absent: their method has the algorithm's name.
 */
export const MARK_METHODS: Readonly<Record<string, string>> = {
  [IMAGE_MARK_BINDING]: IMAGE_MARK_METHOD,
  [SOUND_MARK_BINDING]: SOUND_MARK_METHOD,
};

export const methodOfMark = (alg: string): string => MARK_METHODS[alg] ?? alg;
