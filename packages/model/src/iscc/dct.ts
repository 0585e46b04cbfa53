/**
 * Returns the unscaled discrete cosine transform (type II) of a sequence whose length is a power of two. The function
 * uses the recursion of B. G. Lee (1984). For a sequence of equal values, this recursion yields exact zeros after the
 * first coefficient. The Image-Code needs these zeros, because it compares coefficients.
 */
export function dct(values: readonly number[]): number[] {
  const size = values.length;
  if (size <= 1) return [...values];
  const sums: number[] = [];
  const differences: number[] = [];
  for (let at = 0; at < size / 2; at++) {
    const [left = 0, right = 0] = [values[at], values[size - 1 - at]];
    sums.push(left + right);
    differences.push((left - right) / (Math.cos(((at + 0.5) * Math.PI) / size) * 2));
  }
  const even = dct(sums);
  const odd = dct(differences);
  return even.flatMap((value, at) => [value, (odd[at] ?? 0) + (odd[at + 1] ?? 0)]);
}
