import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from '../base64.js';
import type { VerifySignature } from '../proofs/signature.js';
import { toUint64 } from '../uint64.js';
import {
  type CosignatureAlgorithm,
  MAX_COSIGNED_NAME_BYTES,
  ML_DSA_44,
  toCosignedMessage,
} from './cosigned-message.js';
import type { NoteSigner, SignedNote } from './signed-note.js';
import { toWitnessKey, type WitnessKey } from './witness-key.js';

const TIMESTAMP_BYTES = 8;
/** C2SP tlog-cosignature, "Format". */
const SIGNATURE_BYTES: Record<CosignatureAlgorithm, number> = {
  ed25519: 64,
  'ml-dsa-44': ML_DSA_44.signatureBytes,
};

/** Signs checkpoints with one ML-DSA-44 key (FIPS 204, pure variant, empty context). */
export interface MlDsaSigner {
  algorithm: 'ml-dsa-44';
  /** 1312 bytes. */
  publicKey: Uint8Array;
  /** Returns a signature of 2420 bytes. */
  signBytes(message: Uint8Array): Uint8Array;
}

/**
 * Cosigns the text of a checkpoint. Returns the signature line, with its line break. `timeSeconds` is the Unix time of
 * the signature. Throws RangeError for a time that is not a safe whole number of at least 0, and for an invalid name.
 * With ML-DSA-44, also throws RangeError for a text that is not a checkpoint, and for an origin of more than 255 bytes.
 *
 * @example
 * const signer = { publicKeyHex: '00'.repeat(32), sign: () => '00'.repeat(64) };
 * cosign('example.org/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n', { name: 'w1', timeSeconds: 1 }, signer).length; // => 110
 */
export function cosign(
  text: string,
  { name, timeSeconds }: { name: string; timeSeconds: number },
  signer: NoteSigner | MlDsaSigner,
): string {
  if (!Number.isSafeInteger(timeSeconds) || timeSeconds < 0)
    throw new RangeError('The time must be a whole number of seconds since 1970');
  const key = isMlDsa(signer)
    ? toWitnessKey(name, signer.publicKey, signer.algorithm)
    : toWitnessKey(name, hexToBytes(signer.publicKeyHex));
  const message = toCosignedMessage(text, key, timeSeconds);
  if (message === undefined)
    throw new RangeError(
      `The text is not a checkpoint, or its origin has more than ${MAX_COSIGNED_NAME_BYTES} bytes`,
    );
  const signature = isMlDsa(signer)
    ? signer.signBytes(message)
    : hexToBytes(signer.sign(new TextDecoder().decode(message)));
  return `\u2014 ${name} ${toBase64(concatBytes(hexToBytes(key.keyId), toUint64(timeSeconds), signature))}\n`;
}

/** A signer for Ed25519 can also have the member `algorithm`. */
function isMlDsa(signer: NoteSigner | MlDsaSigner): signer is MlDsaSigner {
  return 'algorithm' in signer && signer.algorithm === 'ml-dsa-44';
}

/**
 * Functions that verify cosignatures. `mlDsa44` returns whether `signature` (2420 bytes) is the ML-DSA-44 signature of
 * `message` by `publicKey` (1312 bytes), in the pure variant with an empty context (FIPS 204 §5.3). It returns false
 * for input of the wrong length, and never throws. Without `mlDsa44`, cosignatures with ML-DSA-44 are not checked.
 */
export interface CosignatureVerifiers {
  ed25519: VerifySignature;
  mlDsa44?: ((publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean) | undefined;
}

/** The reasons why a cosignature does not count, with their meanings. */
export const COSIGNATURE_FAULTS = {
  absent: 'The witness did not cosign the checkpoint.',
  badSignature: 'The cosignature is wrong.',
  notChecked: 'The cosignature was not checked, because this program has no ML-DSA-44.',
} as const;

/** A reason why a cosignature does not count. */
export type CosignatureFault = keyof typeof COSIGNATURE_FAULTS;

/**
 * The result of the verification of a witness's cosignature. `timeSeconds` is the Unix time that the witness states, or
 * 0 if it states no time. The format for Ed25519 does not define the meaning of 0. But 0 is in the year 1970, so it
 * cannot be the time of a cosignature.
 */
export type CosignatureReport =
  | { verified: true; timeSeconds: number }
  | { verified: false; reason: CosignatureFault };

/**
 * Verifies the cosignature of this witness on the note. Ignores lines of other keys. Without a line of this
 * key, the reason is `absent`. If the witness has several lines, all of them must verify. Returns the newest
 * time. If `verify` is a function, it verifies only Ed25519. Cosignatures with ML-DSA-44 then have the reason
 * `notChecked`.
 *
 * @example
 * const note = { text: 'words\n', signatures: [] };
 * verifyCosignature(note, toWitnessKey('w1', new Uint8Array(32)), () => true); // => { verified: false, reason: 'absent' }
 */
export function verifyCosignature(
  { text, signatures }: SignedNote,
  key: WitnessKey,
  verify: VerifySignature | CosignatureVerifiers,
): CosignatureReport {
  const own = signatures.filter((one) => one.name === key.name && one.keyId === key.keyId);
  if (own.length === 0) return { verified: false, reason: 'absent' };
  const statements = own.map(({ signature }) => readStatement(text, key, signature));
  const readable = statements.filter((one) => one !== undefined);
  if (readable.length < own.length) return { verified: false, reason: 'badSignature' };
  const verifyOne = toVerifiers(verify)[key.algorithm === 'ed25519' ? 'ed25519' : 'mlDsa44'];
  if (verifyOne === undefined) return { verified: false, reason: 'notChecked' };
  return readable.every(({ message, signature }) => verifyOne(key.publicKey, message, signature))
    ? { verified: true, timeSeconds: Math.max(...readable.map(({ timeSeconds }) => timeSeconds)) }
    : { verified: false, reason: 'badSignature' };
}

/** A single function is for Ed25519. */
export function toVerifiers(verify: VerifySignature | CosignatureVerifiers): CosignatureVerifiers {
  return typeof verify === 'function' ? { ed25519: verify } : verify;
}

/**
 * Returns undefined for a wrong length, for a time above 2^53 - 1, and for a text that this algorithm cannot cosign.
 */
function readStatement(
  text: string,
  key: WitnessKey,
  bytes: Uint8Array,
): { timeSeconds: number; message: Uint8Array; signature: Uint8Array } | undefined {
  if (bytes.length !== TIMESTAMP_BYTES + SIGNATURE_BYTES[key.algorithm]) return undefined;
  const timeSeconds = Number(BigInt(`0x${bytesToHex(bytes.subarray(0, TIMESTAMP_BYTES))}`));
  if (!Number.isSafeInteger(timeSeconds)) return undefined;
  const message = toCosignedMessage(text, key, timeSeconds);
  return message && { timeSeconds, message, signature: bytes.subarray(TIMESTAMP_BYTES) };
}
