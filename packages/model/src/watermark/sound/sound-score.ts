import { boundFalsePositives, correlate, smallestCorrelation } from '../correlation.js';
import { MAX_PARTS, TRIED_PHASES } from './fold-periods.js';
import { encodeSoundBits, SOUND_MARK_BITS } from './sound-code.js';

/**
 * Natural logarithm of the maximum number of candidates that the detector compares with a sound. A candidate is a code
 * word at a possible beginning of the period.
 */
const CHOICES = SOUND_MARK_BITS * Math.LN2 + Math.log(MAX_PARTS * TRIED_PHASES);

/**
 * The smallest correlation that counts as a detection. The detector accepts any of 2^32 payloads. It tries 16 frames as
 * the beginning of the period, in each of up to 41 parts of a sound.
 */
export const smallestSoundScore = smallestCorrelation(CHOICES);

/** Returns the correlation of the soft bits with the code of `bits` (48 bits), in the unit of `correlate`. */
export const scoreOfBits = (soft: Float32Array, bits: bigint): number =>
  correlate(soft, encodeSoundBits(bits));

/** Returns an upper bound for the probability that a sound without a mark reaches this score. */
export const soundFalsePositiveRate = (score: number): number => boundFalsePositives(CHOICES, score);
