export const CHECK_BITS = 16;
const CHECK_MASK = (1 << CHECK_BITS) - 1;
/** x^16 + x^12 + x^5 + 1 (ITU-T V.41). */
const POLYNOMIAL = 0x1021;

export function appendChecksum(payload: bigint, bits: number): bigint {
  return (payload << BigInt(CHECK_BITS)) | BigInt(checksumOf(payload, bits));
}

/** Returns undefined if the checksum is wrong. */
export function removeChecksum(checked: bigint, bits: number): bigint | undefined {
  const payload = checked >> BigInt(CHECK_BITS);
  return Number(checked & BigInt(CHECK_MASK)) === checksumOf(payload, bits) ? payload : undefined;
}

/**
 * Detects all errors within 16 neighbouring bits, the usual errors of a decoded payload. The start value is not zero,
 * so a payload of zeros does not have the checksum zero.
 */
function checksumOf(payload: bigint, bits: number): number {
  let sum = CHECK_MASK;
  for (let bit = bits - 1; bit >= 0; bit--) {
    const isOdd = ((sum >> (CHECK_BITS - 1)) & 1) !== Number((payload >> BigInt(bit)) & 1n);
    sum = ((sum << 1) & CHECK_MASK) ^ (isOdd ? POLYNOMIAL : 0);
  }
  return sum;
}
