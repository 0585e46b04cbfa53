import { sha256 } from '@noble/hashes/sha2.js';

/** Bytes of a SHA-256 digest (FIPS 180-4). */
export const SHA256_BYTES = 32;

/** A running SHA-256 computation (FIPS 180-4). The `Hash` of `node:crypto` is one. */
export interface Sha256 {
  /** Appends bytes. It does not retain the caller's buffer. */
  update(bytes: Uint8Array): unknown;
  /** Returns the 32 bytes of the digest. Call it once; the hash then accepts no more bytes. */
  digest(): Uint8Array;
  /** Returns an independent hash with the same bytes so far. */
  copy(): Sha256;
}

/** Starts a SHA-256. Inject `() => createHash('sha256')` of `node:crypto` where available: it is faster. */
export type CreateSha256 = () => Sha256;

/** Starts a SHA-256 in plain JavaScript, which runs everywhere. */
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
