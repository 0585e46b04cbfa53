/** Upper bound for the probability that a detector finds a payload in content without a mark. */
const FALSE_POSITIVE_RATE = 1e-6;

/**
 * Returns the smallest correlation that counts as a detection, for a detector that accepts at most `exp(logChoices)`
 * code words. For random signs of the soft bits, the correlation `z` with one code word has P(z >= t) <= exp(-t^2 / 2),
 * whatever the sizes of the soft bits are (Hoeffding's inequality). The function adds this bound over all code words.
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

/**
 * Returns the correlation of soft bits with the signs of a code. The unit is its standard deviation for random signs.
 */
export function correlate(soft: Float32Array, signs: Int8Array): number {
  let sum = 0;
  let norm = 1e-9;
  for (let bit = 0; bit < soft.length; bit++) {
    sum += (signs[bit] ?? 0) * (soft[bit] ?? 0);
    norm += (soft[bit] ?? 0) ** 2;
  }
  return sum / Math.sqrt(norm);
}
