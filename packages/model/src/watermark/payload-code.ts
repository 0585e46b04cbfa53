import { createConvolutionalCode } from './convolutional-code.js';

/** The number of payload bits with the checksum. */
export const PAYLOAD_BITS = 64;
const code = createConvolutionalCode(PAYLOAD_BITS, 0x6d61726b);
export const CODE_BITS = code.codeBits;

/** Signs: 1 for a zero bit, -1 for a one bit. */
export const encodePayload = (payload: bigint): Int8Array => code.encode(payload);

/** Viterbi algorithm. */
export const decodePayload = (soft: Float32Array): bigint => code.decode(soft);
