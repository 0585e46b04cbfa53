import { appendChecksum, CHECK_BITS, removeChecksum } from '../checksum.js';
import { createConvolutionalCode } from '../convolutional-code.js';

/** Without the checksum. */
export const SOUND_MARK_BITS = 32;

const code = createConvolutionalCode(SOUND_MARK_BITS + CHECK_BITS, 0x736f756e);
export const SOUND_CODE_BITS = code.codeBits;

/** As signs; 48 bits. */
export const encodeSoundBits = (bits: bigint): Int8Array => code.encode(bits);

/** As signs. */
export const encodeSoundPayload = (payload: bigint): Int8Array =>
  encodeSoundBits(appendChecksum(payload, SOUND_MARK_BITS));

/** `payload` is undefined if the checksum is wrong. */
export function decodeSoundBits(soft: Float32Array): { bits: bigint; payload: bigint | undefined } {
  const bits = code.decode(soft);
  return { bits, payload: removeChecksum(bits, SOUND_MARK_BITS) };
}
