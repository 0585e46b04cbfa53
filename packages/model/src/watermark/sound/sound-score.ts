import { boundFalsePositives, correlate, smallestCorrelation } from '../correlation.js';
import { MAX_PARTS, TRIED_PHASES } from './fold-periods.js';
import { encodeSoundBits, SOUND_MARK_BITS } from './sound-code.js';

/** Logarithm of the number of candidates: code words at a possible beginning of the period. */
const CHOICES = SOUND_MARK_BITS * Math.LN2 + Math.log(MAX_PARTS * TRIED_PHASES);

/** 2^32 payloads at 16 beginnings of the period, in each of up to 41 parts of a sound. */
export const smallestSoundScore = smallestCorrelation(CHOICES);

/** 48 bits. The unit is that of `correlate`. */
export const scoreOfBits = (soft: Float32Array, bits: bigint): number =>
  correlate(soft, encodeSoundBits(bits));

/** Returns an upper bound for the probability that a sound without a mark reaches this score. */
export const soundFalsePositiveRate = (score: number): number => boundFalsePositives(CHOICES, score);
