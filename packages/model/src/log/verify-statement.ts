import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isJsonObject, type JsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import { type RecordKind, verifyRecordDigest } from '../record-digest.js';
import { parseStrictJson } from '../strict-json.js';
import { COSE, EDDSA, toSigStructure } from './cose.js';
import { type CborMap, type CoseSign1, type ParsedCbor, parseCbor, parseCoseSign1 } from './parse-cose.js';
import { CLAIM, COMMITTED_RECORD_TYPE, INCLUSION_PROOFS, RFC9162_SHA256 } from './receipt-formats.js';
import { isOfKind } from './record-fault.js';
import { leafHash } from './tree-hash.js';
import { toVerifierKey } from './verifier-key.js';
import { inclusionRoot } from './verify-proofs.js';
import type { TrustedLog } from './verify-signer.js';

/** The codes of a failed verification of a transparent statement, with their meanings. */
export const STATEMENT_FAULTS = {
  malformed:
    'This is not a COSE_Sign1 message over the canonical JSON of a record with its commitments, or its header has no COSE Receipt.',
  unsupportedAlgorithm: 'The signatures are not EdDSA, or the tree is not of the structure RFC9162_SHA256.',
  otherKind: 'The record does not have the kind and the id that the subject of the statement names.',
  otherOrigin: 'The statement or its receipt belongs to another log.',
  untrustedKey: 'The trusted key did not sign the statement.',
  badSignature: 'The signature of the statement is wrong.',
  notIncluded: 'The receipt does not lead from the record to a root that the log signed.',
} as const;

/** A code of a failed verification. */
export type StatementFault = keyof typeof STATEMENT_FAULTS;

/**
 * The result of a verification. It has neither the index of the leaf nor the size of the tree, because the signature of
 * a COSE Receipt covers only the root. One root and path can fit several pairs of index and size.
 */
export type StatementReport =
  | { verified: true; kind: RecordKind; id: string; digest: string; origin: string }
  | { verified: false; code: StatementFault };

/**
 * Whether a trusted log contains the record of this transparent statement: a COSE_Sign1 message over the record with
 * its commitments, with a COSE Receipt (RFC 9942, RFC9162_SHA256) in the header `receipts`. If there are several
 * receipts, one of them must verify. The other receipts can come from other logs or use other structures. If no receipt
 * uses the supported structure, the code is `unsupportedAlgorithm`. If no supported receipt comes from this log, the
 * code is `otherOrigin`. If no supported receipt of this log verifies, the code is `notIncluded`. Never throws for the
 * content, and makes no requests.
 *
 * The payload must be exactly the bytes that the record digest covers. So the statement contains only the commitment of
 * a personal field, not its value. It contains no member that the digest does not cover.
 *
 * @example
 * verifyStatement(new Uint8Array(), { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'malformed' }
 */
export function verifyStatement(
  bytes: Uint8Array,
  trusted: TrustedLog,
  verify: VerifySignature,
): StatementReport {
  const statement = parseStatement(bytes);
  if (statement === undefined) return refused('malformed');
  const { message, receipts, payload, body, origin } = statement;
  const supported = receipts.filter(isSupportedReceipt);
  if (!isSupported(message) || supported.length === 0) return refused('unsupportedAlgorithm');
  const record = readSubject(statement);
  if (record === undefined) return refused('otherKind');
  const digest = `sha256:${bytesToHex(sha256(payload))}`;
  if (!verifyRecordDigest(record.kind, body, {}, digest)) return refused('malformed');
  const signer = { origin, trusted, verify };
  const fault =
    findSigner(message, signer) ??
    (isSigned(message, payload, signer) ? undefined : 'badSignature') ??
    findReceiptsFault(supported, digest, signer);
  return fault === undefined ? { verified: true, ...record, digest, origin } : refused(fault);
}

/** The same maximum as for the signatures of a checkpoint. */
const MAX_RECEIPTS = 100;

interface Statement {
  message: CoseSign1;
  /** Has at least one receipt. Omits receipts that are not COSE_Sign1 messages. */
  receipts: CoseSign1[];
  payload: Uint8Array;
  body: JsonObject;
  origin: string;
  subject: string;
}

function parseStatement(bytes: Uint8Array): Statement | undefined {
  const message = parseCoseSign1(bytes);
  const listed = toList(message?.unprotectedHeader.get(COSE.receipts));
  const payload = message?.payload ?? undefined;
  if (message === undefined || payload === undefined || listed.length > MAX_RECEIPTS) return undefined;
  const receipts = listed
    .map((bytes) => (bytes instanceof Uint8Array ? parseCoseSign1(bytes) : undefined))
    .filter((receipt) => receipt !== undefined);
  const isTyped = message.protectedHeader.get(COSE.contentType) === COMMITTED_RECORD_TYPE;
  if (receipts.length === 0 || !isTyped) return undefined;
  const claims = readClaims(message);
  const [origin, subject] = [claims?.get(CLAIM.iss), claims?.get(CLAIM.sub)];
  const parsed = parseStrictJson(payload);
  const body = 'value' in parsed ? parsed.value : null;
  if (typeof origin !== 'string' || typeof subject !== 'string' || !isJsonObject(body)) return undefined;
  return { message, receipts, payload, body, origin, subject };
}

function readClaims({ protectedHeader }: CoseSign1): CborMap | undefined {
  const claims = protectedHeader.get(COSE.cwtClaims);
  return claims instanceof Map ? claims : undefined;
}

function isSupported({ protectedHeader }: CoseSign1): boolean {
  return protectedHeader.get(COSE.alg) === EDDSA;
}

function isSupportedReceipt(receipt: CoseSign1): boolean {
  return isSupported(receipt) && receipt.protectedHeader.get(COSE.vds) === RFC9162_SHA256;
}

/**
 * Reads the kind and the id of a subject `<kind>/<id>`. Returns undefined if the body is not a record of this kind and
 * id.
 */
function readSubject({ subject, body }: Statement): { kind: RecordKind; id: string } | undefined {
  const [, kind, id = ''] = /^(entity|action|attribution)\/(.+)$/su.exec(subject) ?? [];
  if (kind === undefined || body.id !== id || !isOfKind(kind as RecordKind, body)) return undefined;
  return { kind: kind as RecordKind, id };
}

function findSigner(
  { protectedHeader }: CoseSign1,
  { origin, trusted }: Signer,
): 'otherOrigin' | 'untrustedKey' | undefined {
  if (origin !== (trusted.origin ?? origin)) return 'otherOrigin';
  const keyId = protectedHeader.get(COSE.kid);
  // `toVerifierKey` throws for an origin with white space or `+`.
  if (!/^[^\s+]+$/u.test(origin) || !(keyId instanceof Uint8Array)) return 'untrustedKey';
  return bytesToHex(keyId) === toVerifierKey(origin, trusted.publicKey).keyId ? undefined : 'untrustedKey';
}

interface Signer {
  origin: string;
  trusted: TrustedLog;
  verify: VerifySignature;
}

/** Ignores receipts of other logs. */
function findReceiptsFault(
  receipts: readonly CoseSign1[],
  digest: string,
  signer: Signer,
): 'otherOrigin' | 'notIncluded' | undefined {
  const own = receipts.filter((receipt) => readClaims(receipt)?.get(CLAIM.iss) === signer.origin);
  if (own.length === 0) return 'otherOrigin';
  return own.some((receipt) => isIncluded(receipt, digest, signer)) ? undefined : 'notIncluded';
}

function isSigned(
  { protectedBytes, signature }: CoseSign1,
  payload: Uint8Array,
  { trusted, verify }: Signer,
): boolean {
  return verify(trusted.publicKey, toSigStructure('Signature1', protectedBytes, payload), signature);
}

/** The log must have signed the root to which the first inclusion proof leads. */
function isIncluded(receipt: CoseSign1, digest: string, signer: Signer): boolean {
  if (receipt.payload !== null || findSigner(receipt, signer) !== undefined) return false;
  const proofs = receipt.unprotectedHeader.get(COSE.vdp);
  const [proof] = toList(proofs instanceof Map ? proofs.get(INCLUSION_PROOFS) : undefined);
  const [size, leafIndex, path] = toList(proof instanceof Uint8Array ? parseCbor(proof) : undefined);
  if (typeof size !== 'number' || typeof leafIndex !== 'number') return false;
  const hashes = toList(path).filter((hash) => hash instanceof Uint8Array);
  if (hashes.length !== toList(path).length) return false;
  const root = inclusionRoot({ leafIndex, leafHash: leafHash(digest), path: hashes }, size);
  return root !== undefined && isSigned(receipt, root, signer);
}

function toList(value: ParsedCbor | undefined): ParsedCbor[] {
  return Array.isArray(value) ? value : [];
}

function refused(code: StatementFault): StatementReport {
  return { verified: false, code };
}
