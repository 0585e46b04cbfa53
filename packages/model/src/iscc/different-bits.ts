/**
 * Returns the number of bits in which two digests differ (their Hamming distance), within the length of the shorter
 * one.
 *
 * @example
 * countDifferentBits(new Uint8Array([0b1100]), new Uint8Array([0b0110])); // => 2
 */
export function countDifferentBits(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    for (let bits = (a[at] ?? 0) ^ (b[at] ?? 0); bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}
