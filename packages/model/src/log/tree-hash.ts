import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type CreateSha256, createNobleSha256, SHA256_BYTES } from '../sha256.js';

/** RFC 9162 §2.1.1. */
const LEAF_PREFIX = Uint8Array.of(0);
/** RFC 9162 §2.1.1. */
const NODE_PREFIX = Uint8Array.of(1);

/**
 * Returns the hash of the leaf of a record: SHA-256(0x00 || the 32 bytes of its digest), RFC 9162 §2.1.1.
 *
 * `digest` is `sha256:` and 64 lower-case hex digits, as `digestRecord` returns it. Throws RangeError for any other
 * text.
 *
 * @example
 * toBase64(leafHash(`sha256:${'00'.repeat(32)}`)); // => 'f5yeMayCVsovJYWD3yYtvH1vaPKgMEPVyZpK5ac5bOk='
 */
export function leafHash(digest: string, createSha256: CreateSha256 = createNobleSha256): Uint8Array {
  return hashOf([LEAF_PREFIX, digestBytes(digest)], createSha256);
}

/**
 * Returns the 32 bytes of a digest `sha256:<64 hex digits>`. Throws RangeError for any other text.
 *
 * @example
 * digestBytes(`sha256:${'00'.repeat(32)}`); // => new Uint8Array(32)
 */
export function digestBytes(digest: string): Uint8Array {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new RangeError('Expected a digest: sha256: and 64 lower-case hex digits');
  return hexToBytes(digest.slice('sha256:'.length));
}

/**
 * Returns the hash of the leaf that represents the head of one log in an anchor: SHA-256(0x00 || the text of its
 * checkpoint, without signatures), RFC 9162 §2.1.1.
 *
 * @example
 * headHash('example.org/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n').length; // => 32
 */
export function headHash(checkpointText: string, createSha256: CreateSha256 = createNobleSha256): Uint8Array {
  return hashOf([LEAF_PREFIX, utf8ToBytes(checkpointText)], createSha256);
}

/**
 * Returns the hash of the node over two subtrees: SHA-256(0x01 || left || right), RFC 9162 §2.1.1. Each hash has 32
 * bytes.
 *
 * @example
 * const leaf = leafHash(`sha256:${'00'.repeat(32)}`);
 * nodeHash(leaf, leaf).length; // => 32
 */
export function nodeHash(
  left: Uint8Array,
  right: Uint8Array,
  createSha256: CreateSha256 = createNobleSha256,
): Uint8Array {
  return hashOf([NODE_PREFIX, left, right], createSha256);
}

/**
 * Returns the root of the tree without leaves: SHA-256 of no bytes (RFC 9162 §2.1.1).
 *
 * @example
 * toBase64(emptyRoot()); // => '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
 */
export function emptyRoot(): Uint8Array {
  return createNobleSha256().digest();
}

export function isHash(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.length === SHA256_BYTES;
}

/** Constant time is not necessary, because hashes of a public log are not secret. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function hashOf(parts: Uint8Array[], createSha256: CreateSha256): Uint8Array {
  const hash = createSha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
