import { appendChecksum, CHECK_BITS, removeChecksum } from '../checksum.js';
import { createConvolutionalCode } from '../convolutional-code.js';

/** The number of payload bits without the checksum. */
export const SOUND_MARK_BITS = 32;

const code = createConvolutionalCode(SOUND_MARK_BITS + CHECK_BITS, 0x736f756e);
export const SOUND_CODE_BITS = code.codeBits;

/** Encodes 48 bits as signs. */
export const encodeSoundBits = (bits: bigint): Int8Array => code.encode(bits);

/** Encodes a payload as signs. */
export const encodeSoundPayload = (payload: bigint): Int8Array =>
  encodeSoundBits(appendChecksum(payload, SOUND_MARK_BITS));

/** `payload` is undefined if the checksum is wrong. */
export function decodeSoundBits(soft: Float32Array): { bits: bigint; payload: bigint | undefined } {
  const bits = code.decode(soft);
  return { bits, payload: removeChecksum(bits, SOUND_MARK_BITS) };
}
