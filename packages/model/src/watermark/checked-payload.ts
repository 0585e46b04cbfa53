import { PAYLOAD_BITS } from './payload-code.js';

/** Bits of a mark that its user chooses. */
export const MARK_BITS = 48;
const CHECK_BITS = PAYLOAD_BITS - MARK_BITS;
const CHECK_MASK = (1 << CHECK_BITS) - 1;

/** Returns the 64 bits of the code: the payload, then its checksum. */
export function addChecksum(payload: bigint): bigint {
  return (payload << BigInt(CHECK_BITS)) | BigInt(checksumOf(payload));
}

/** Returns the payload of 64 decoded bits; undefined if the checksum is wrong. */
export function readChecked(bits: bigint): bigint | undefined {
  const payload = bits >> BigInt(CHECK_BITS);
  return Number(bits & BigInt(CHECK_MASK)) === checksumOf(payload) ? payload : undefined;
}

/** x^16 + x^12 + x^5 + 1 (ITU-T V.41). It finds every run of up to 16 bits with errors. */
const POLYNOMIAL = 0x1021;

/**
 * A decoded payload with errors usually differs in a few neighbouring bits, and this checksum finds all of these
 * errors. The start value is not zero, so a payload of zeros has a checksum too.
 */
function checksumOf(payload: bigint): number {
  let sum = CHECK_MASK;
  for (let bit = MARK_BITS - 1; bit >= 0; bit--) {
    const isOdd = ((sum >> (CHECK_BITS - 1)) & 1) !== Number((payload >> BigInt(bit)) & 1n);
    sum = ((sum << 1) & CHECK_MASK) ^ (isOdd ? POLYNOMIAL : 0);
  }
  return sum;
}
