import { hexToBytes } from '@noble/hashes/utils.js';

/** 8 bytes, big-endian. */
export function toUint64(value: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(16, '0'));
}
