import { toBase64 } from '../base64.js';
import type { StoredSoftBinding } from '../c2pa/stored-soft-binding.js';

/** Algorithm of the soft binding of an image mark. The value of this binding is the payload: 6 bytes, big-endian. */
export const IMAGE_MARK_BINDING = 'colophon.image-mark.1';

const PAYLOAD_BYTES = 6;

/**
 * Returns the soft binding of an image mark with this payload of 48 bits.
 *
 * @example
 * toImageMarkBinding(7n); // => { alg: 'colophon.image-mark.1', value: 'AAAAAAAH' }
 */
export function toImageMarkBinding(payload: bigint): StoredSoftBinding {
  const bytes = Uint8Array.from({ length: PAYLOAD_BYTES }, (_, at) =>
    Number((payload >> BigInt(8 * (PAYLOAD_BYTES - 1 - at))) & 0xffn),
  );
  return { alg: IMAGE_MARK_BINDING, value: toBase64(bytes) };
}
