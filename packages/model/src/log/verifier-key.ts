import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '../base64.js';
import { createNobleSha256 } from '../sha256.js';

/** The public key of a log, in the form that readers use (C2SP signed-note, "Verifier keys"). */
export interface VerifierKey {
  name: string;
  /** 8 hex digits, derived from the name and the key. */
  keyId: string;
  /** The 32 bytes of an Ed25519 public key. */
  publicKey: Uint8Array;
}

/** C2SP signed-note, "Signature types". */
export interface SignatureType {
  /** The byte before the public key. */
  id: number;
  keyBytes: number;
}

const ED25519: SignatureType = { id: 1, keyBytes: 32 };

/**
 * Creates the verifier key of this name and Ed25519 public key. Its id is the first 4 bytes of SHA-256(name || 0x0a
 * || 0x01 || key). Throws RangeError for a name that is empty or contains white space or a plus sign, and for a key
 * that is not 32 bytes.
 *
 * @example
 * toVerifierKey('example.org/log', new Uint8Array(32)).keyId; // => '70da24f6'
 */
export function toVerifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  return toKeyOfType(ED25519, name, publicKey);
}

/**
 * Returns the key as text: `<name>+<key id>+<base64 of 0x01 and the key>`.
 *
 * @example
 * parseVerifierKey(formatVerifierKey(toVerifierKey('example.org', new Uint8Array(32)))).name; // => 'example.org'
 */
export function formatVerifierKey(key: VerifierKey): string {
  return formatKeyOfType(ED25519, key);
}

/**
 * Parses the text of a verifier key. Returns undefined when the text is malformed, when the key is not an Ed25519
 * key, or when the id does not match the name and the key.
 *
 * @example
 * parseVerifierKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW').keyId; // => 'c74f20a3'
 * parseVerifierKey('PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'); // => undefined
 */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  return parseKeyOfType(ED25519, text);
}

/** Throws RangeError like `toVerifierKey`. */
export function toKeyOfType(type: SignatureType, name: string, publicKey: Uint8Array): VerifierKey {
  if (!/^[^\s+]+$/u.test(name))
    throw new RangeError('Invalid key name: it must not be empty or contain white space or a plus sign');
  if (publicKey.length !== type.keyBytes)
    throw new RangeError(`Expected a public key of ${type.keyBytes} bytes`);
  const hash = createNobleSha256();
  hash.update(concatBytes(new TextEncoder().encode(`${name}\n`), typed(type, publicKey)));
  return { name, keyId: bytesToHex(hash.digest().subarray(0, 4)), publicKey };
}

/** `<name>+<key id>+<base64 of the type and the key>`. */
export function formatKeyOfType(type: SignatureType, { name, keyId, publicKey }: VerifierKey): string {
  return `${name}+${keyId}+${toBase64(typed(type, publicKey))}`;
}

/** Returns undefined for malformed text, for a key of another type, and for a wrong id. */
export function parseKeyOfType(type: SignatureType, text: string): VerifierKey | undefined {
  const [, name, keyId, base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = fromBase64(base64);
  if (name === undefined || bytes?.length !== 1 + type.keyBytes || bytes[0] !== type.id) return undefined;
  const key = toKeyOfType(type, name, bytes.subarray(1));
  return key.keyId === keyId ? key : undefined;
}

function typed({ id }: SignatureType, publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(id), publicKey);
}
