import { MARK_BITS } from './checked-payload.js';
import { boundFalsePositives, correlate, smallestCorrelation } from './correlation.js';
import { REFINED, ROOTS } from './find-geometries.js';
import { encodePayload } from './payload-code.js';

/** Natural logarithm of the maximum number of code words that the detector accepts in a picture. */
const CHOICES = MARK_BITS * Math.LN2 + Math.log(REFINED + ROOTS.length);

/**
 * The smallest correlation that counts as a detection. The detector accepts 2^48 payloads at each of up to 18
 * geometries.
 */
export const smallestScore = smallestCorrelation(CHOICES);

/**
 * Returns the correlation of the soft bits with the code of `payload`, in the unit of `correlate`. Here, `payload` has
 * 64 bits, because it includes the checksum.
 */
export const scoreOf = (soft: Float32Array, payload: bigint): number =>
  correlate(soft, encodePayload(payload));

/** Returns an upper bound for the probability that a picture without a mark reaches this score. */
export const falsePositiveRate = (score: number): number => boundFalsePositives(CHOICES, score);
