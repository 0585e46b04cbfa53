import { appendChecksum, CHECK_BITS, removeChecksum } from './checksum.js';
import { PAYLOAD_BITS } from './payload-code.js';

/** Number of bits of the payload of an image mark, without its checksum. */
export const MARK_BITS = PAYLOAD_BITS - CHECK_BITS;

/** Returns the 64 bits that the code protects: the payload, then its checksum. */
export const addChecksum = (payload: bigint): bigint => appendChecksum(payload, MARK_BITS);

/** Returns the payload in 64 decoded bits; undefined if the checksum is wrong. */
export const readChecked = (bits: bigint): bigint | undefined => removeChecksum(bits, MARK_BITS);
