import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type CosignatureAlgorithm, MAX_COSIGNED_NAME_BYTES, ML_DSA_44 } from './cosigned-message.js';
import { formatKeyOfType, parseKeyOfType, type SignatureType, toKeyOfType } from './verifier-key.js';

/** The public key of a witness. A witness cosigns the checkpoints of logs (C2SP tlog-cosignature). */
export interface WitnessKey {
  name: string;
  /** 8 hex digits, derived from the name and the key. */
  keyId: string;
  algorithm: CosignatureAlgorithm;
  /** 32 bytes of an Ed25519 public key, or 1312 bytes of an ML-DSA-44 public key. */
  publicKey: Uint8Array;
}

/** C2SP tlog-cosignature, "Format". */
const TYPES: Record<CosignatureAlgorithm, SignatureType> = {
  ed25519: { id: 4, keyBytes: 32 },
  'ml-dsa-44': { id: 6, keyBytes: ML_DSA_44.keyBytes },
};

/**
 * Creates the key of a witness with this name and public key. Its id is the first 4 bytes of SHA-256(name || 0x0a ||
 * type || key). The type is 0x04 for Ed25519 and 0x06 for ML-DSA-44. Throws RangeError for a name that is empty or
 * contains white space or a plus sign, and for a key of the wrong length. For ML-DSA-44, also throws RangeError for a
 * name of more than 255 bytes, because no cosignature can contain such a name.
 *
 * @example
 * toWitnessKey('witness.example.com/w1', new Uint8Array(32)).keyId; // => '43faae91'
 * toWitnessKey('witness.example.com/w1', new Uint8Array(1312), 'ml-dsa-44').keyId; // => '34ccc2c1'
 */
export function toWitnessKey(
  name: string,
  publicKey: Uint8Array,
  algorithm: CosignatureAlgorithm = 'ed25519',
): WitnessKey {
  if (!isNameFor(algorithm, name))
    throw new RangeError(`The name has more than ${MAX_COSIGNED_NAME_BYTES} bytes`);
  return { ...toKeyOfType(TYPES[algorithm], name, publicKey), algorithm };
}

function isNameFor(algorithm: CosignatureAlgorithm, name: string): boolean {
  return algorithm === 'ed25519' || utf8ToBytes(name).length <= MAX_COSIGNED_NAME_BYTES;
}

/**
 * Returns the key as text: `<name>+<key id>+<base64 of the type and the key>`.
 *
 * @example
 * parseWitnessKey(formatWitnessKey(toWitnessKey('example.org', new Uint8Array(32)))).name; // => 'example.org'
 */
export function formatWitnessKey(key: WitnessKey): string {
  return formatKeyOfType(TYPES[key.algorithm], key);
}

/**
 * Parses the text of a witness's key, for Ed25519 or ML-DSA-44. Returns undefined when the text is malformed, when the
 * key is of another type, such as the key of a log, or when the id does not match the name and the key.
 *
 * @example
 * parseWitnessKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'); // => undefined
 */
export function parseWitnessKey(text: string): WitnessKey | undefined {
  for (const algorithm of ['ed25519', 'ml-dsa-44'] as const) {
    const key = parseKeyOfType(TYPES[algorithm], text);
    if (key !== undefined) return isNameFor(algorithm, key.name) ? { ...key, algorithm } : undefined;
  }
  return undefined;
}
