import { createConvolutionalCode } from './convolutional-code.js';

/** Bits of a payload with its checksum. */
export const PAYLOAD_BITS = 64;
const code = createConvolutionalCode(PAYLOAD_BITS, 0x6d61726b);
/** Bits of the code that protects a payload. */
export const CODE_BITS = code.codeBits;

/** Returns the code of a payload as signs: 1 for a zero bit, -1 for a one bit. */
export const encodePayload = (payload: bigint): Int8Array => code.encode(payload);

/** Returns the payload whose code has the largest correlation with the soft bits (Viterbi algorithm). */
export const decodePayload = (soft: Float32Array): bigint => code.decode(soft);
