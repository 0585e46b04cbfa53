/** A bit is set if at least half of the digests have it. All digests must have the same length. */
export function simhash(digests: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(digests[0]?.length ?? 0);
  const counts = new Uint32Array(result.length * 8);
  for (const digest of digests) {
    for (let bit = 0; bit < counts.length; bit++) counts[bit] = (counts[bit] ?? 0) + bitOf(digest, bit);
  }
  for (const [bit, count] of counts.entries()) {
    if (count * 2 >= digests.length) result[bit >> 3] = (result[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return result;
}

function bitOf(digest: Uint8Array, bit: number): number {
  return ((digest[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
}
