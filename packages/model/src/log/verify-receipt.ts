import { fromBase64 } from '../base64.js';
import { isJsonObject, type JsonValue } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import { type RecordKind, VOLATILE_MEMBERS } from '../record-digest.js';
import type { Anchor } from './anchor.js';
import { formatCheckpoint, parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { INPUT_FAULTS, type ProofWarning, type VerifyOptions } from './proof-input.js';
import { type Receipt, receiptSchema } from './receipt.js';
import { findRecordFault, hasUnusedSalt } from './record-fault.js';
import { digestBytes, equalBytes, headHash, leafHash } from './tree-hash.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** The codes of a failed verification of a receipt, with their meanings. */
export const RECEIPT_FAULTS = {
  ...INPUT_FAULTS,
  unsupportedVersion: 'The version of the receipt is unknown.',
  malformed: 'This is not a receipt: a member is absent, malformed or unknown.',
  uncommittedMember: 'The record has a member that its digest does not cover.',
  otherKind: 'The record does not have the form of its kind.',
  digestMismatch: 'The record does not match its digest: the record was changed.',
  leafMismatch: 'The leaf hash does not match the record.',
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  otherOrigin: 'The checkpoint belongs to another log.',
  untrustedKey: 'The trusted key did not sign the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  leafOutsideTree: 'The index of the leaf is not below the size of the tree in the checkpoint.',
  notIncluded: 'The proof does not lead from the leaf to the root of the checkpoint.',
  notAnchored:
    'The anchor does not belong to this record: its root neither covers the checkpoint nor is the digest of the record.',
} as const;

/** A code of a failed verification. */
export type ReceiptFault = keyof typeof RECEIPT_FAULTS;

/**
 * The result of a verification. `anchor` is the anchor in the receipt, or null. The anchor's root covers the record.
 * `verifyAnchor` checks that the blockchain contains the root.
 */
export type ReceiptReport =
  | {
      verified: true;
      kind: RecordKind;
      digest: string;
      origin: string;
      leafIndex: number;
      /** Number of leaves of the tree in the checkpoint. */
      size: number;
      anchor: Anchor | null;
      /** Always false: this function does not look for the anchor's root on the blockchain. */
      anchorChecked: false;
      /** Faults for which only a strict verification refuses the receipt. */
      warnings: ProofWarning[];
    }
  | { verified: false; code: ReceiptFault };

/**
 * Whether a trusted log contains the record of this receipt, with every member unchanged. `receipt` is any value,
 * such as the parsed JSON of a file. The function never throws for a malformed receipt, and makes no requests.
 *
 * The function checks, in this order:
 *
 * 1. the form of the receipt
 * 2. the kind and the digest: the digest must cover every member of the record, and match the record
 * 3. the leaf hash
 * 4. the origin and the signature of the checkpoint
 * 5. the inclusion proof
 * 6. the path from the checkpoint to the anchor's root, if the receipt has an anchor
 *
 * A receipt does not prove that other readers see the same log. To check that a log only appends, compare two
 * checkpoints with `verifyGrowth`.
 *
 * @example
 * verifyReceipt({ version: 2 }, { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'unsupportedVersion' }
 */
export function verifyReceipt(
  receipt: unknown,
  trusted: TrustedLog,
  verify: VerifySignature,
  { strict = false }: VerifyOptions = {},
): ReceiptReport {
  if (!isVersion1(receipt)) return refused('unsupportedVersion');
  const parsed = receiptSchema.safeParse(receipt);
  if (!parsed.success) return refused('malformed');
  const { record, log, anchor } = parsed.data;
  const warnings: ProofWarning[] = hasUnusedSalt(record) ? ['unusedSalt'] : [];
  const recordFault = findLeafFault(parsed.data, strict ? warnings : []);
  if (recordFault !== undefined) return refused(recordFault);
  const checkpoint = parseCheckpoint(log.checkpoint);
  if (checkpoint === undefined) return refused('malformedCheckpoint');
  const fault =
    findSignerFault(checkpoint, { named: log.origin, trusted, verify }) ??
    findTreeFault(checkpoint, log) ??
    findAnchorFault(checkpoint, parsed.data);
  if (fault !== undefined) return refused(fault);
  return {
    verified: true,
    kind: record.kind,
    digest: record.digest,
    origin: checkpoint.origin,
    leafIndex: log.leafIndex,
    size: checkpoint.size,
    anchor: anchor ?? null,
    anchorChecked: false,
    warnings,
  };
}

function findLeafFault({ record, log }: Receipt, refused: ProofWarning[]): ReceiptFault | undefined {
  // The digest does not cover these members. In a valid receipt, a reader would believe that they are proven.
  if (VOLATILE_MEMBERS.some((name) => Object.hasOwn(record.body, name))) return 'uncommittedMember';
  const fault = findRecordFault(record) ?? refused[0];
  if (fault !== undefined) return fault;
  return isSameHash(log.leafHash, leafHash(record.digest)) ? undefined : 'leafMismatch';
}

function findTreeFault(checkpoint: SignedCheckpoint, log: Receipt['log']): ReceiptFault | undefined {
  if (log.leafIndex >= checkpoint.size) return 'leafOutsideTree';
  const [leaf, ...path] = [log.leafHash, ...log.inclusionPath].map(toHash);
  const inclusion = { leafIndex: log.leafIndex, leafHash: leaf ?? new Uint8Array(), path };
  return verifyInclusion(inclusion, checkpoint) ? undefined : 'notIncluded';
}

function findAnchorFault(
  checkpoint: SignedCheckpoint,
  { record, anchor }: Receipt,
): ReceiptFault | undefined {
  if (anchor === undefined) return undefined;
  const root = toHash(anchor.root);
  if (anchor.heads === undefined)
    return equalBytes(digestBytes(record.digest), root) ? undefined : 'notAnchored';
  const { index, size, path } = anchor.heads;
  const leaf = { leafIndex: index, leafHash: headHash(formatCheckpoint(checkpoint)), path: path.map(toHash) };
  return verifyInclusion(leaf, { size, root }) ? undefined : 'notAnchored';
}

function isVersion1(receipt: unknown): boolean {
  return !isJsonObject(receipt as JsonValue) || (receipt as { version?: unknown }).version === 1;
}

function isSameHash(base64: string, hash: Uint8Array): boolean {
  return equalBytes(toHash(base64), hash);
}

function toHash(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array();
}

function refused(code: ReceiptFault): ReceiptReport {
  return { verified: false, code };
}
