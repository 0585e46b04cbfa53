import { hasFullDigest } from './digest-lengths.js';
import { SHA256_BYTES } from './sha256.js';
import { DAG_PB_CODEC, SHA2_256, sha256CidBytes } from './sha256-cid.js';

/** A varint of 8 bytes has a value below 2^56. */
const MAX_VARINT_BYTES = 8;

/** Converts a binary CIDv0, the multihash of a SHA-256 digest, into a binary CIDv1 (CID specification). */
export function fromBinaryCidV0(bytes: Uint8Array): Uint8Array | undefined {
  const isMultihash = bytes[0] === SHA2_256 && bytes[1] === SHA256_BYTES && bytes.length === 2 + SHA256_BYTES;
  return isMultihash ? sha256CidBytes(DAG_PB_CODEC, bytes.subarray(2)) : undefined;
}

/** Whether the bytes are exactly one binary CIDv1 whose digest is not truncated. */
export function isBinaryCidV1(bytes: Uint8Array): boolean {
  const varints: number[] = [];
  let at = 0;
  while (varints.length < 4) {
    const varint = readVarint(bytes.subarray(at, at + MAX_VARINT_BYTES));
    if (varint === undefined) return false;
    varints.push(varint.value);
    at += varint.sizeBytes;
  }
  const [version, , code = 0, digestBytes] = varints;
  const digest = bytes.subarray(at);
  return version === 1 && digest.length === digestBytes && hasFullDigest({ code, digest });
}

/** Returns undefined for an incomplete varint, or one that is not in its shortest form. */
function readVarint(bytes: Uint8Array): { value: number; sizeBytes: number } | undefined {
  const last = bytes.findIndex((byte) => byte < 0x80);
  if (last === -1 || (last > 0 && bytes[last] === 0)) return undefined;
  const value = bytes.subarray(0, last + 1).reduceRight((sum, byte) => sum * 0x80 + (byte % 0x80), 0);
  return { value, sizeBytes: last + 1 };
}
