import { MARK_BITS } from './checked-payload.js';
import { REFINED, ROOTS } from './find-geometries.js';
import { CODE_BITS, encodePayload } from './payload-code.js';

/** Upper bound for the probability that the detector finds a payload in a picture without a mark. */
const FALSE_POSITIVE_RATE = 1e-6;
/** Natural logarithm of the number of code words that the detector accepts in a picture, at most. */
const CHOICES = MARK_BITS * Math.LN2 + Math.log(REFINED + ROOTS.length);

/**
 * The smallest correlation that counts. With random signs of the soft bits, the correlation `z` with one code word
 * has P(z >= t) <= exp(-t^2 / 2) (Hoeffding's inequality), whatever their sizes are. The bound adds this over all
 * 2^48 payloads with a correct checksum, at all places where the detector reads.
 */
export const smallestScore = Math.sqrt(2 * (CHOICES - Math.log(FALSE_POSITIVE_RATE)));

/** Returns the correlation of the soft bits with the code of 64 bits, in standard deviations of random signs. */
export function scoreOf(soft: Float32Array, payload: bigint): number {
  const signs = encodePayload(payload);
  let sum = 0;
  let norm = 1e-9;
  for (let bit = 0; bit < CODE_BITS; bit++) {
    sum += (signs[bit] ?? 0) * (soft[bit] ?? 0);
    norm += (soft[bit] ?? 0) ** 2;
  }
  return sum / Math.sqrt(norm);
}

/** Returns a bound for the probability that a picture without a mark reaches a score. */
export function falsePositiveRate(score: number): number {
  return Math.min(1, Math.exp(CHOICES - score ** 2 / 2));
}
