/** Upper bound for the probability of a detection in content without a mark. */
const FALSE_POSITIVE_RATE = 1e-6;

/**
 * For random signs of the soft bits, the correlation `z` with one code word has P(z >= t) <= exp(-t^2 / 2) (Hoeffding's
 * inequality). The bound is added over all `exp(logChoices)` accepted code words.
 */
export function smallestCorrelation(logChoices: number): number {
  return Math.sqrt(2 * (logChoices - Math.log(FALSE_POSITIVE_RATE)));
}

/**
 * Returns an upper bound for the probability that content without a mark reaches this correlation with any of the
 * accepted code words.
 */
export function boundFalsePositives(logChoices: number, correlation: number): number {
  return Math.min(1, Math.exp(logChoices - correlation ** 2 / 2));
}

/** The unit is the standard deviation for random signs. */
export function correlate(soft: Float32Array, signs: Int8Array): number {
  let sum = 0;
  let norm = 1e-9;
  for (let bit = 0; bit < soft.length; bit++) {
    sum += (signs[bit] ?? 0) * (soft[bit] ?? 0);
    norm += (soft[bit] ?? 0) ** 2;
  }
  return sum / Math.sqrt(norm);
}
