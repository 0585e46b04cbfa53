import { sha256 } from '@noble/hashes/sha2.js';

/** FIPS 180-4. */
export const SHA256_BYTES = 32;

/** A SHA-256 computation (FIPS 180-4). `Hash` of `node:crypto` implements it. */
export interface Sha256 {
  /** Appends bytes. It does not keep a reference to the caller's buffer. */
  update(bytes: Uint8Array): unknown;
  /** Returns the 32 bytes of the digest. Call it once; the hash then accepts no more bytes. */
  digest(): Uint8Array;
  /** Returns an independent copy that has hashed the same bytes. */
  copy(): Sha256;
}

/** Creates a SHA-256 computation. `() => createHash('sha256')` of `node:crypto` is faster where available. */
export type CreateSha256 = () => Sha256;

/** Creates a SHA-256 in plain JavaScript, which works in any runtime. */
export function createNobleSha256(): Sha256 {
  return portOf(sha256.create());
}

function portOf(state: ReturnType<typeof sha256.create>): Sha256 {
  return {
    update: (bytes) => state.update(bytes),
    digest: () => state.digest(),
    copy: () => portOf(state.clone()),
  };
}
