import { appendChecksum, CHECK_BITS, removeChecksum } from './checksum.js';
import { PAYLOAD_BITS } from './payload-code.js';

/** The number of payload bits without the checksum. */
export const MARK_BITS = PAYLOAD_BITS - CHECK_BITS;

export const addChecksum = (payload: bigint): bigint => appendChecksum(payload, MARK_BITS);

/** Returns undefined if the checksum is wrong. */
export const readChecked = (bits: bigint): bigint | undefined => removeChecksum(bits, MARK_BITS);
