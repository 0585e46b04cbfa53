import { blake3 } from '@noble/hashes/blake3.js';
import type { IsccUnit } from './header.js';

/** Computes the Instance-Code of bytes that arrive in pieces. */
export interface InstanceHasher {
  /** Appends bytes. The caller may reuse the buffer after the call. */
  update(bytes: Uint8Array): void;
  /** Returns the Instance-Code of the appended bytes: their BLAKE3 digest. Call it once. */
  finish(): IsccUnit;
}

/** Creates the hasher of an Instance-Code. The hasher needs a few KiB of memory for content of any length. */
export function createInstanceHasher(): InstanceHasher {
  const hash = blake3.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    finish: () => ({ mainType: 'instance', digest: hash.digest() }),
  };
}
