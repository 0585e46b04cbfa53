import { appendChecksum, CHECK_BITS, removeChecksum } from '../checksum.js';
import { createConvolutionalCode } from '../convolutional-code.js';

/** Number of bits of the payload of a sound mark, without its checksum. */
export const SOUND_MARK_BITS = 32;

const code = createConvolutionalCode(SOUND_MARK_BITS + CHECK_BITS, 0x736f756e);
/** Number of bits of the code that protects the payload and its checksum. */
export const SOUND_CODE_BITS = code.codeBits;

/** Returns the code of 48 bits as signs. */
export const encodeSoundBits = (bits: bigint): Int8Array => code.encode(bits);

/** Returns the code of a payload of 32 bits as signs. */
export const encodeSoundPayload = (payload: bigint): Int8Array =>
  encodeSoundBits(appendChecksum(payload, SOUND_MARK_BITS));

/** Returns the 48 bits whose code fits the soft bits best. `payload` is undefined if the checksum is wrong. */
export function decodeSoundBits(soft: Float32Array): { bits: bigint; payload: bigint | undefined } {
  const bits = code.decode(soft);
  return { bits, payload: removeChecksum(bits, SOUND_MARK_BITS) };
}
