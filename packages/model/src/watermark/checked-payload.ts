import { appendChecksum, CHECK_BITS, removeChecksum } from './checksum.js';
import { PAYLOAD_BITS } from './payload-code.js';

/** Bits of a mark that its user chooses. */
export const MARK_BITS = PAYLOAD_BITS - CHECK_BITS;

/** Returns the 64 bits of the code: the payload, then its checksum. */
export const addChecksum = (payload: bigint): bigint => appendChecksum(payload, MARK_BITS);

/** Returns the payload of 64 decoded bits; undefined if the checksum is wrong. */
export const readChecked = (bits: bigint): bigint | undefined => removeChecksum(bits, MARK_BITS);
