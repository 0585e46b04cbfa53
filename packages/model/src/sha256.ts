import { sha256 } from '@noble/hashes/sha2.js';

/** Bytes of a SHA-256 digest (FIPS 180-4). */
export const SHA256_BYTES = 32;

/** A SHA-256 under way (FIPS 180-4). The `Hash` of `node:crypto` is one. */
export interface Sha256 {
  /** Appends bytes. Nothing of the caller's buffer is kept. */
  update(bytes: Uint8Array): unknown;
  /** The 32 bytes of the digest. May be called once; the hash then takes no more bytes. */
  digest(): Uint8Array;
  /** An independent hash that has taken the same bytes. */
  copy(): Sha256;
}

/** Begins a SHA-256. Inject `() => createHash('sha256')` of `node:crypto` where there is one: it is faster. */
export type CreateSha256 = () => Sha256;

/** Begins a SHA-256 in plain JavaScript, which runs everywhere. */
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
