/** Most significant bit first. The number of bits is a multiple of 8. */
export function packBits(bits: readonly (boolean | number)[]): Uint8Array {
  const bytes = new Uint8Array(bits.length / 8);
  for (const [at, bit] of bits.entries()) {
    if (bit) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  return bytes;
}
