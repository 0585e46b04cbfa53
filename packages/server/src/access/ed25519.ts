import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { VerifySignature } from '@colophon/model';
import { setNewest } from '../platform/work/set-newest.js';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_CACHED_KEYS = 1000;

/** DER before the 32 bytes of a public key (RFC 8410 §4). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** DER before the 32 bytes of a seed (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The prime of the field, p = 2^255 - 19 (RFC 8032 §5.1), big-endian. */
const P = Buffer.from(`7f${'ff'.repeat(30)}ed`, 'hex');

/** The y coordinates of the eight points of small order (their order divides 8), in little-endian hex. */
const SMALL_ORDER_Y = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/**
 * Creates a verifier (RFC 8032 §5.1.7, without the cofactor). It is stricter than OpenSSL for the public key and for R,
 * the first half of the signature: it rejects points of small order, and points whose y coordinate is not less than p.
 * OpenSSL itself rejects S >= L.
 */
export function createVerifySignature(): VerifySignature {
  const keys = new Map<string, KeyObject | undefined>();

  function keyOf(publicKey: Uint8Array): KeyObject | undefined {
    const name = Buffer.from(publicKey).toString('latin1');
    const key = keys.has(name) ? keys.get(name) : importPublicKey(publicKey);
    setNewest(keys, name, key, MAX_CACHED_KEYS);
    return key;
  }

  return (publicKey, message, signature) => {
    if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
    const key = keyOf(publicKey);
    const r = signature.subarray(0, KEY_BYTES);
    return key !== undefined && isSoundPoint(r) && verify(null, message, key, signature);
  };
}

export interface Signer {
  /** 64 lower-case hex digits. */
  readonly publicKeyHex: string;
  /** The private key. */
  readonly key: KeyObject;
  /** Returns the signature of the text in UTF-8, as 128 lower-case hex digits. */
  sign(text: string): string;
  /** Returns the signature of the bytes: 64 bytes. */
  signBytes(bytes: Uint8Array): Uint8Array;
}

/** `seedHex`: 64 hex digits (RFC 8032 §5.1.5). The RangeError does not contain it. */
export function createSigner(seedHex: string): Signer {
  if (!/^[0-9a-fA-F]{64}$/.test(seedHex)) throw new RangeError('A signing key must have 64 hex digits');
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seedHex, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKeyHex: spki.subarray(-KEY_BYTES).toString('hex'),
    key,
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
    signBytes: (bytes) => sign(null, bytes, key),
  };
}

function importPublicKey(bytes: Uint8Array): KeyObject | undefined {
  if (!isSoundPoint(bytes)) return undefined;
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** Checks the encoding and the order. OpenSSL checks that the point is on the curve. */
function isSoundPoint(encoding: Uint8Array): boolean {
  const y = Buffer.from(encoding);
  y.writeUInt8(y.readUInt8(KEY_BYTES - 1) & 0x7f, KEY_BYTES - 1); // the top bit is the sign of x
  return !SMALL_ORDER_Y.has(y.toString('hex')) && Buffer.compare(y.reverse(), P) < 0;
}
