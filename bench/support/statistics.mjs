/** Returns a quantile of the values. `quantile` is from 0 (the minimum) to 1 (the maximum). */
export function quantileOf(values, quantile) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))];
}

export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (!Number.isInteger(middle)) return sorted[Math.floor(middle)];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns Wilson's 95 % interval of the share `hits / count`, in per cent. */
export function interval(hits, count) {
  const z = 1.96;
  const share = hits / count;
  const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const spread =
    (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return `${(100 * Math.max(0, middle - spread)).toFixed(1)} to ${(100 * Math.min(1, middle + spread)).toFixed(1)} %`;
}
