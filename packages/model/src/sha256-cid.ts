import { SHA256_BYTES } from './sha256.js';

export const RAW_CODEC = 0x55;

export const DAG_PB_CODEC = 0x70;

export const SHA2_256 = 0x12;

/**
 * 36 bytes: version, codec, hash function, digest length, digest (CID specification, "CIDv1"). `codec` must be below
 * 0x80, so that it is a varint of one byte. Throws RangeError when `digest` is not 32 bytes.
 */
export function sha256CidBytes(codec: number, digest: Uint8Array): Uint8Array {
  if (digest.length !== SHA256_BYTES) throw new RangeError(`Expected a digest of ${SHA256_BYTES} bytes`);
  const bytes = new Uint8Array(4 + SHA256_BYTES);
  bytes.set([1, codec, SHA2_256, SHA256_BYTES]);
  bytes.set(digest, 4);
  return bytes;
}
