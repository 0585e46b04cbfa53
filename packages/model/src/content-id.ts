import { hexToBytes } from '@noble/hashes/utils.js';
import { base32 } from 'multiformats/bases/base32';
import { fromBinaryCidV0, isBinaryCidV1 } from './binary-cid.js';
import { isSameText, multibaseOf } from './multibases.js';
import { RAW_CODEC, sha256CidBytes } from './sha256-cid.js';

/** In UTF-16 code units. */
export const MAX_CONTENT_ID_LENGTH = 256;

/**
 * Canonical CIDs with SHA-256 and the codec raw or dag-pb. They have 36 bytes, so the last two bits of the base32 are
 * unused.
 */
const USUAL_NAME = /^b(?:afkrei|afybei)[a-h][a-z2-7]{50}[aeimquy4]$/;
const SHA256_NAME = /^sha256:([0-9a-fA-F]{64})$/;

/**
 * Returns the canonical CID of content, or undefined when `text` is not a content id.
 *
 * Valid texts are CIDv0, CIDv1 in every multibase (CID specification), and `sha256:` with 64 hex digits of either
 * case. The canonical CID is a CIDv1 in lower-case base32 of at most 256 characters. A CIDv0 becomes a CIDv1 of
 * codec dag-pb, and a SHA-256 becomes a CIDv1 of codec raw. A canonical CID stays unchanged.
 *
 * A text is invalid if it has more than 256 UTF-16 code units, or white space at either end. These are invalid too:
 * non-canonical encodings (padding, non-zero unused bits, varints that are not in their shortest form), a digest
 * without the full length of its hash function, and an identity multihash of more than 64 bytes of content.
 *
 * @example
 * parseContentId('Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'); // => 'bafybeihykld7uyxzogax6vgyvag42y7464eywpf55gxi5qpoisibh3c5wa'
 * parseContentId('not a content id'); // => undefined
 */
export function parseContentId(text: string): string | undefined {
  if (text.length > MAX_CONTENT_ID_LENGTH) return undefined;
  if (USUAL_NAME.test(text)) return text;
  const hexDigest = SHA256_NAME.exec(text)?.[1];
  if (hexDigest !== undefined) return contentIdOfSha256(hexToBytes(hexDigest));
  const bytes = text.startsWith('Q') ? readCidV0(text) : readCidV1(text);
  return bytes === undefined ? undefined : base32.encode(bytes);
}

/**
 * Whether `parseContentId` accepts the text. For `sha256:` with 64 hex digits, this function is faster than
 * `parseContentId`, because it does not create the canonical CID.
 *
 * @example
 * isContentId('Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'); // => true
 * isContentId('not a content id'); // => false
 */
export function isContentId(text: string): boolean {
  return USUAL_NAME.test(text) || SHA256_NAME.test(text) || parseContentId(text) !== undefined;
}

/**
 * Returns the CIDv1 (codec raw, base32) of bytes with this SHA-256. For content of up to 1 MiB it is the content id;
 * for larger content it is an alias.
 *
 * `digest` must have 32 bytes; otherwise the function throws RangeError.
 *
 * @example
 * contentIdOfSha256(new Uint8Array(32)); // => 'bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
 */
export function contentIdOfSha256(digest: Uint8Array): string {
  return base32.encode(sha256CidBytes(RAW_CODEC, digest));
}

/** 34 bytes in base58btc. The first byte is not 0, so the length is always the same. */
const CID_V0_LENGTH = 46;

/** The text is base58btc without the multibase prefix. */
function readCidV0(text: string): Uint8Array | undefined {
  if (text.length !== CID_V0_LENGTH) return undefined;
  return readExactly(`z${text}`, fromBinaryCidV0);
}

function readCidV1(text: string): Uint8Array | undefined {
  return readExactly(text, (bytes) => (isBinaryCidV1(bytes) ? bytes : undefined));
}

/** Returns undefined if the text is not the canonical encoding of a CID. */
function readExactly(
  text: string,
  toCid: (bytes: Uint8Array) => Uint8Array | undefined,
): Uint8Array | undefined {
  const base = multibaseOf(text);
  if (base === undefined) return undefined;
  try {
    const bytes = base.decode(text);
    const cid = toCid(bytes);
    return cid !== undefined && isSameText(base, text, base.encode(bytes)) ? cid : undefined;
  } catch {
    return undefined; // the decoders throw only for texts outside of their alphabet and for texts too long for a CID
  }
}
