import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** A value that `encodeCbor` accepts. A Map becomes a CBOR map with its keys in the order of the Map. */
export type CborValue =
  | null
  | number
  | string
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>;

/**
 * Encodes a value as CBOR. The result is deterministic (RFC 8949 §4.2.1) if the keys of each Map are in the order of
 * their encoded bytes. Throws RangeError for a number that is not a safe integer.
 */
export function encodeCbor(value: CborValue): Uint8Array {
  if (value === null) return Uint8Array.of(0xf6);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return concatBytes(head(3, utf8ToBytes(value).length), utf8ToBytes(value));
  if (value instanceof Uint8Array) return concatBytes(head(2, value.length), value);
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<number | string, CborValue>)];
    return concatBytes(head(5, entries.length), ...entries.flat().map(encodeCbor));
  }
  const items = value as readonly CborValue[];
  return concatBytes(head(4, items.length), ...items.map(encodeCbor));
}

/** Returns the head of a CBOR item in its shortest form (RFC 8949 §3). */
function head(majorType: number, argument: number): Uint8Array {
  if (!Number.isSafeInteger(argument) || argument < 0) throw new RangeError('Expected a safe integer');
  const first = majorType << 5;
  if (argument < 24) return Uint8Array.of(first | argument);
  const sizes = [1, 2, 4, 8];
  const size = sizes.find((bytes) => argument < 2 ** (8 * bytes)) ?? 8;
  const bytes = new Uint8Array(1 + size);
  bytes[0] = first | (24 + sizes.indexOf(size));
  for (let at = size, rest = argument; at > 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

/** Signs bytes with one Ed25519 key. */
export interface ByteSigner {
  /** The key id of the log's verifier key: 4 bytes. */
  keyId: Uint8Array;
  /** Returns the signature: 64 bytes. */
  signBytes(bytes: Uint8Array): Uint8Array;
}

/** Labels of COSE headers (RFC 9052 §3.1, RFC 9597, RFC 9942). */
export const COSE = {
  alg: 1,
  contentType: 3,
  kid: 4,
  cwtClaims: 15,
  receipts: 394,
  vds: 395,
  vdp: 396,
} as const;
/** The algorithm EdDSA (RFC 9053 §2.2). */
export const EDDSA = -8;
const COSE_SIGN1 = 0xd2;

/**
 * Creates a tagged COSE_Sign1 message (RFC 9052 §4.2), signed with EdDSA. Adds the members `alg` and `kid` to the
 * protected header. If `isDetached` is true, the message does not contain the payload, and the reader must get it
 * elsewhere.
 */
export function signCose(
  message: {
    protectedHeader: ReadonlyMap<number, CborValue>;
    unprotectedHeader: ReadonlyMap<number, CborValue>;
    payload: Uint8Array;
    isDetached: boolean;
  },
  signer: ByteSigner,
): Uint8Array {
  const members: [number, CborValue][] = [
    [COSE.alg, EDDSA],
    [COSE.kid, signer.keyId],
    ...message.protectedHeader,
  ];
  const header = encodeCbor(new Map(members.sort(([a], [b]) => a - b)));
  const signature = signer.signBytes(toSigStructure('Signature1', header, message.payload));
  const payload = message.isDetached ? null : message.payload;
  return toCoseSign1([header, message.unprotectedHeader, payload, signature]);
}

/** Returns the bytes to sign (RFC 9052 §4.4), without external data. */
export function toSigStructure(
  context: string,
  protectedHeader: Uint8Array,
  payload: Uint8Array,
): Uint8Array {
  return encodeCbor([context, protectedHeader, new Uint8Array(), payload]);
}

/** Encodes the tagged message of these four parts (RFC 9052 §4.2). */
export function toCoseSign1(
  parts: readonly [
    protectedHeader: Uint8Array,
    unprotectedHeader: ReadonlyMap<number | string, CborValue>,
    payload: Uint8Array | null,
    signature: Uint8Array,
  ],
): Uint8Array {
  return concatBytes(Uint8Array.of(COSE_SIGN1), encodeCbor(parts));
}
