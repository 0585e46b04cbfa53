import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from '../base64.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { NoteSigner, SignedNote } from './signed-note.js';
import { formatKeyOfType, parseKeyOfType, toKeyOfType } from './verifier-key.js';

/** The public key of a witness. A witness cosigns the checkpoints of logs (C2SP tlog-cosignature). */
export interface WitnessKey {
  name: string;
  /** 8 hex digits, derived from the name and the key. */
  keyId: string;
  /** The 32 bytes of an Ed25519 public key. */
  publicKey: Uint8Array;
}

/** The signature type of `cosignature/v1` with Ed25519 (C2SP tlog-cosignature, "Format"). */
const ED25519_COSIGNATURE = 4;
const TIMESTAMP_BYTES = 8;
const SIGNATURE_BYTES = 64;

/**
 * Creates the key of a witness with this name and Ed25519 public key. Its id is the first 4 bytes of SHA-256(name ||
 * 0x0a || 0x04 || key). Throws RangeError for a name that is empty or contains white space or a plus sign, and for a
 * key that is not 32 bytes.
 *
 * @example
 * toWitnessKey('witness.example.com/w1', new Uint8Array(32)).keyId; // => '43faae91'
 */
export function toWitnessKey(name: string, publicKey: Uint8Array): WitnessKey {
  return toKeyOfType(ED25519_COSIGNATURE, name, publicKey);
}

/**
 * Returns the key as text: `<name>+<key id>+<base64 of 0x04 and the key>`.
 *
 * @example
 * parseWitnessKey(formatWitnessKey(toWitnessKey('example.org', new Uint8Array(32)))).name; // => 'example.org'
 */
export function formatWitnessKey(key: WitnessKey): string {
  return formatKeyOfType(ED25519_COSIGNATURE, key);
}

/**
 * Parses the text of a witness's key. Returns undefined when the text is malformed, when the key is of another type,
 * such as the key of a log, or when the id does not match the name and the key.
 *
 * @example
 * parseWitnessKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'); // => undefined
 */
export function parseWitnessKey(text: string): WitnessKey | undefined {
  return parseKeyOfType(ED25519_COSIGNATURE, text);
}

/**
 * Cosigns the text of a checkpoint. Returns the signature line, with its line break. `timeSeconds` is the Unix time of
 * the signature. Throws RangeError for a time that is not a safe whole number of at least 0, and for an invalid name.
 *
 * @example
 * const signer = { publicKeyHex: '00'.repeat(32), sign: () => '00'.repeat(64) };
 * cosign('example.org/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n', { name: 'w1', timeSeconds: 1 }, signer).length; // => 110
 */
export function cosign(
  text: string,
  { name, timeSeconds }: { name: string; timeSeconds: number },
  signer: NoteSigner,
): string {
  if (!Number.isSafeInteger(timeSeconds) || timeSeconds < 0)
    throw new RangeError('The time must be a whole number of seconds since 1970');
  const { keyId } = toWitnessKey(name, hexToBytes(signer.publicKeyHex));
  const time = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(timeSeconds));
  const signature = hexToBytes(signer.sign(toCosignedText(text, timeSeconds)));
  return `\u2014 ${name} ${toBase64(concatBytes(hexToBytes(keyId), time, signature))}\n`;
}

/** The result of the verification of a witness's cosignature. `timeSeconds`: the Unix time that the witness states. */
export type CosignatureReport =
  | { verified: true; timeSeconds: number }
  | { verified: false; reason: 'absent' | 'badSignature' };

/**
 * Verifies the cosignature of this witness on the note. Ignores lines of other keys. Without a line of this
 * key, the reason is `absent`. If the witness has several lines, all of them must verify. Returns the newest
 * time.
 *
 * @example
 * const note = { text: 'words\n', signatures: [] };
 * verifyCosignature(note, toWitnessKey('w1', new Uint8Array(32)), () => true); // => { verified: false, reason: 'absent' }
 */
export function verifyCosignature(
  { text, signatures }: SignedNote,
  { name, keyId, publicKey }: WitnessKey,
  verify: VerifySignature,
): CosignatureReport {
  const own = signatures.filter((one) => one.name === name && one.keyId === keyId);
  if (own.length === 0) return { verified: false, reason: 'absent' };
  const times = own.map(({ signature }) => {
    const timeSeconds = readTime(signature);
    if (timeSeconds === undefined) return undefined;
    const message = new TextEncoder().encode(toCosignedText(text, timeSeconds));
    return verify(publicKey, message, signature.subarray(TIMESTAMP_BYTES)) ? timeSeconds : undefined;
  });
  const sound = times.filter((time) => time !== undefined);
  return sound.length === own.length
    ? { verified: true, timeSeconds: Math.max(...sound) }
    : { verified: false, reason: 'badSignature' };
}

/** The signed message (C2SP tlog-cosignature, "Ed25519 signed message"). */
function toCosignedText(text: string, timeSeconds: number): string {
  return `cosignature/v1\ntime ${timeSeconds}\n${text}`;
}

/** Reads the time of a `timestamped_signature`. Undefined for another length, and for a time above 2^53 - 1. */
function readTime(signature: Uint8Array): number | undefined {
  if (signature.length !== TIMESTAMP_BYTES + SIGNATURE_BYTES) return undefined;
  const timeSeconds = Number(BigInt(`0x${bytesToHex(signature.subarray(0, TIMESTAMP_BYTES))}`));
  return Number.isSafeInteger(timeSeconds) ? timeSeconds : undefined;
}
