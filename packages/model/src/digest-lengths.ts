interface Multihash {
  readonly code: number;
  readonly digest: Uint8Array;
}

const IDENTITY = 0x00;
const MIN_DIGEST_BYTES = 20;
const MAX_DIGEST_BYTES = 64;

/** Maps a multicodec to the length of its digests in bytes. */
const DIGEST_BYTES = new Map([
  [0x11, 20], // sha1
  [0x12, 32], // sha2-256
  [0x13, 64], // sha2-512
  [0x14, 64], // sha3-512
  [0x15, 48], // sha3-384
  [0x16, 32], // sha3-256
  [0x17, 28], // sha3-224
  [0x1a, 28], // keccak-224
  [0x1b, 32], // keccak-256
  [0x1c, 48], // keccak-384
  [0x1d, 64], // keccak-512
  [0x20, 48], // sha2-384
  [0x56, 32], // dbl-sha2-256
  [0x1012, 32], // sha2-256-trunc254-padded
]);

// BLAKE2: 0xb201..0xb240 are blake2b-8..512; the next codes are blake2s-8..256.
const BLAKE2B_BASE = 0xb200;
const BLAKE2S_BASE = 0xb240;
const BLAKE2S_LAST = 0xb260;

/**
 * Whether a digest is long enough to identify content safely. IPFS nodes have the same lower limit of 20 bytes. The
 * digest of an identity multihash is the content itself.
 */
export function hasFullDigest({ code, digest }: Multihash): boolean {
  if (code === IDENTITY) return digest.length <= MAX_DIGEST_BYTES;
  if (digest.length < MIN_DIGEST_BYTES || digest.length > MAX_DIGEST_BYTES) return false;
  const expected = DIGEST_BYTES.get(code) ?? blake2DigestBytes(code);
  return expected === undefined || digest.length === expected;
}

function blake2DigestBytes(code: number): number | undefined {
  if (code <= BLAKE2B_BASE || code > BLAKE2S_LAST) return undefined;
  return code <= BLAKE2S_BASE ? code - BLAKE2B_BASE : code - BLAKE2S_BASE;
}
