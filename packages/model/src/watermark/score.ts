import { MARK_BITS } from './checked-payload.js';
import { boundFalsePositives, correlate, smallestCorrelation } from './correlation.js';
import { REFINED, ROOTS } from './find-geometries.js';
import { encodePayload } from './payload-code.js';

/** Logarithm of the number of accepted code words. */
const CHOICES = MARK_BITS * Math.LN2 + Math.log(REFINED + ROOTS.length);

/** The detector accepts 2^48 payloads at each of up to 18 geometries. */
export const smallestScore = smallestCorrelation(CHOICES);

/** `payload` includes the checksum. The unit is that of `correlate`. */
export const scoreOf = (soft: Float32Array, payload: bigint): number =>
  correlate(soft, encodePayload(payload));

/** Returns an upper bound for the probability that a picture without a mark reaches this score. */
export const falsePositiveRate = (score: number): number => boundFalsePositives(CHOICES, score);
