import { fromBase64 } from '../base64.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { RecordKind } from '../record-digest.js';
import type { Anchor } from './anchor.js';
import { formatCheckpoint, parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { type Receipt, receiptSchema } from './receipt.js';
import { findRecordFault } from './record-fault.js';
import { digestBytes, equalBytes, headHash, leafHash } from './tree-hash.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** Why a receipt is refused, and what that says. */
export const RECEIPT_FAULTS = {
  unsupportedVersion: 'The receipt is of a version that is not known here.',
  malformed: 'This is not a receipt: a member is absent, of another form, or unknown.',
  uncommittedMember: 'The record has a member that its digest does not cover.',
  otherKind: 'The record is not of the kind that the receipt says.',
  digestMismatch: 'The record is not the one that was digested: something in it was changed.',
  leafMismatch: 'The leaf hash is not that of the record.',
  malformedCheckpoint: 'The checkpoint is not a signed statement of a tree.',
  otherOrigin: 'The checkpoint is of another log.',
  untrustedKey: 'The checkpoint is not signed by the key that is trusted.',
  badSignature: 'The signature of the checkpoint is wrong.',
  leafOutsideTree: 'The tree of the checkpoint ends before the leaf.',
  notIncluded: 'The proof does not lead from the leaf to the root of the checkpoint.',
  notAnchored: 'The anchor is not one of this record: its root is not over the head of the checkpoint.',
} as const;

/** Why a receipt is refused. */
export type ReceiptFault = keyof typeof RECEIPT_FAULTS;

/**
 * What became of a verification. `anchor` names the root that a chain is said to show, which leads to this record:
 * whether the chain shows it, `verifyAnchor` asks the chain. Null when the receipt has none.
 */
export type ReceiptReport =
  | {
      verified: true;
      kind: RecordKind;
      digest: string;
      origin: string;
      leafIndex: number;
      /** Leaves of the tree that the checkpoint states. */
      size: number;
      anchor: Anchor | null;
    }
  | { verified: false; code: ReceiptFault };

/**
 * Whether the record of this receipt is in the log that is believed, unchanged in every member. `receipt` is any
 * value, such as parsed JSON of a file; nothing is thrown for what it holds, and nobody is asked.
 *
 * It checks, in this order: the form; that the digest covers every member, and is that of the record; the leaf hash;
 * the checkpoint, its origin and signature; the inclusion proof; the way from there to the anchor's root. It tells nothing of what the log was for others: to
 * see that a log only grows, compare checkpoints with `verifyGrowth`.
 *
 * @example
 * verifyReceipt({ version: 2 }, { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'unsupportedVersion' }
 */
export function verifyReceipt(receipt: unknown, trusted: TrustedLog, verify: VerifySignature): ReceiptReport {
  if (!isVersion1(receipt)) return refused('unsupportedVersion');
  const parsed = receiptSchema.safeParse(receipt);
  if (!parsed.success) return refused('malformed');
  const { record, log, anchor } = parsed.data;
  const recordFault = findLeafFault(parsed.data);
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
  };
}

/** Members that a record gets after it was digested; a receipt that shows one would seem to prove it. */
const UNCOMMITTED = ['onchain', 'recordedAt', 'digest', 'locations'];

function findLeafFault({ record, log }: Receipt): ReceiptFault | undefined {
  if (UNCOMMITTED.some((name) => Object.hasOwn(record.body, name))) return 'uncommittedMember';
  const fault = findRecordFault(record);
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
  return typeof receipt !== 'object' || receipt === null || (receipt as { version?: unknown }).version === 1;
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
