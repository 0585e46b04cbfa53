import { createConvolutionalCode } from './convolutional-code.js';

/** Number of bits of a payload with its checksum. */
export const PAYLOAD_BITS = 64;
const code = createConvolutionalCode(PAYLOAD_BITS, 0x6d61726b);
/** Number of bits of the code that protects the payload and its checksum. */
export const CODE_BITS = code.codeBits;

/** Returns the code of a payload with its checksum as signs: 1 for a zero bit, -1 for a one bit. */
export const encodePayload = (payload: bigint): Int8Array => code.encode(payload);

/** Returns the 64 bits whose code has the largest correlation with the soft bits (Viterbi algorithm). */
export const decodePayload = (soft: Float32Array): bigint => code.decode(soft);
