import { toBase64 } from '../base64.js';
import type { StoredSoftBinding } from '../c2pa/stored-soft-binding.js';

/** Algorithm of the soft binding of a sound mark. The value of this binding is the payload: 4 bytes, big-endian. */
export const SOUND_MARK_BINDING = 'colophon.sound-mark.1';

/**
 * Returns the soft binding of a sound mark with this payload of 32 bits.
 *
 * @example
 * toSoundMarkBinding(7n); // => { alg: 'colophon.sound-mark.1', value: 'AAAABw==' }
 */
export function toSoundMarkBinding(payload: bigint): StoredSoftBinding {
  const bytes = Uint8Array.from([24n, 16n, 8n, 0n], (shift) => Number((payload >> shift) & 0xffn));
  return { alg: SOUND_MARK_BINDING, value: toBase64(bytes) };
}
