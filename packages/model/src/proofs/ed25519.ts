import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { VerifySignature } from './signature.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;

/**
 * Verifies an Ed25519 signature in plain JavaScript, for any runtime. It is as strict as `VerifySignature` requires:
 * RFC 8032 §5.1.7 without the cofactor. It accepts only canonical encodings, and no public key or point R of small
 * order.
 *
 * @example
 * const { publicKey, sign } = createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
 * const bytes = (hex) => Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
 * const message = new TextEncoder().encode('hello');
 * verifyEd25519(bytes(publicKey), message, bytes(await sign('hello'))); // => true
 * verifyEd25519(bytes(publicKey), new TextEncoder().encode('hallo'), bytes(await sign('hello'))); // => false
 */
export const verifyEd25519: VerifySignature = (publicKey, message, signature) => {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const encodedR = signature.slice(0, KEY_BYTES);
  const key = decodePoint(publicKey);
  const r = decodePoint(encodedR);
  const s = toInteger(signature.subarray(KEY_BYTES));
  if (key === undefined || r === undefined || s >= ORDER) return false;
  const challenge = toInteger(sha512(concatBytes(encodedR, publicKey, message))) % ORDER;
  return Point.BASE.multiplyUnsafe(s).equals(r.add(key.multiplyUnsafe(challenge)));
};

/** Signs with one Ed25519 key. The key can be local or in another system, such as a wallet. */
export interface Signer {
  /** 64 lower-case hex digits. */
  readonly publicKey: string;
  /** Signs the text in UTF-8. Returns 128 lower-case hex digits. */
  sign(text: string): string | Promise<string>;
}

/**
 * Creates a signer from the seed of a key (RFC 8032 §5.1.5), as 64 hex digits. Throws RangeError for any other text;
 * the error does not contain the text. For a key in a wallet or a key service, implement `Signer` yourself.
 *
 * @example
 * createSigner('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60').publicKey; // => 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
 */
export function createSigner(seed: string): Signer {
  if (!/^[0-9a-fA-F]{64}$/.test(seed)) throw new RangeError('Expected a signing key of 64 hex digits');
  const secret = hexToBytes(seed);
  return {
    publicKey: bytesToHex(ed25519.getPublicKey(secret)),
    sign: (text) => bytesToHex(ed25519.sign(new TextEncoder().encode(text), secret)),
  };
}

/** Returns undefined for an invalid or non-canonical encoding, and for a point of small order. */
function decodePoint(encoding: Uint8Array): ReturnType<typeof Point.fromBytes> | undefined {
  try {
    const point = Point.fromBytes(encoding, false);
    return point.isSmallOrder() ? undefined : point;
  } catch {
    return undefined; // the bytes encode no point
  }
}

function toInteger(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(littleEndian.toReversed())}`);
}
