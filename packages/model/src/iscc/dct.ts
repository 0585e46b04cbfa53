/**
 * The unscaled discrete cosine transform (type II), by the recursion of B. G. Lee (1984). The length must be a power of
 * two. For equal values, this recursion yields exact zeros, which the Image-Code needs.
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
