import { fromBase64 } from '../base64.js';
import { CanonicalJsonError, type JsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { RecordKind } from '../record-digest.js';
import { provenBundleText, statementDigest } from './bundle-proof.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { type ClaimedBundle, claimedBundleSchema } from './claimed-bundle.js';
import { findRecordFault, restoreErased } from './record-fault.js';
import { leafHash } from './tree-hash.js';
import { toVerifierKey } from './verifier-key.js';
import { findMentionFault } from './verify-mentions.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** The codes of a failed verification of a proven bundle, with their meanings. */
export const BUNDLE_FAULTS = {
  unsupportedVersion: 'The version of the proof is unknown.',
  malformed: 'This is not a bundle with its proof: a member is absent, malformed or unknown.',
  malformedCheckpoint: 'The checkpoint is not a signed statement of a tree.',
  otherOrigin: 'The checkpoint belongs to another log.',
  untrustedKey: 'The trusted key did not sign the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  notSigned: 'The trusted key did not sign the bundle.',
  badBundleSignature: 'The signature of the bundle is wrong: the bundle was changed.',
  unprovenRecord: 'The records and the proofs do not match one to one.',
  otherKind: 'The kind of a record does not match its list.',
  digestMismatch: 'A record does not match its digest: the record was changed.',
  leafOutsideTree: 'The tree of the checkpoint ends before a leaf.',
  notIncluded: 'A proof does not lead from the leaf to the root of the checkpoint.',
  absentEntity: 'A record names an entity that the bundle does not contain.',
  otherStatement: 'The log does not contain the statement about the identifiers.',
  unstatedName: 'The proof does not state the number of actions that name a content.',
  otherMentions: 'The number of actions that name a content differs from the log.',
  leftOut: 'An action that names a content is missing, or the bundle has an unrelated action.',
} as const;

/** A code of a failed verification. */
export type BundleFault = keyof typeof BUNDLE_FAULTS;

/** The result of a verification. */
export type BundleReport =
  | {
      verified: true;
      cid: string;
      origin: string;
      /** Leaves of the tree that the checkpoint states. */
      size: number;
      /** The number of proven records. */
      records: number;
      /**
       * Whether the bundle has all actions among the first `coveredLeaves` leaves. False when the bundle itself
       * states that it was cut.
       */
      complete: boolean;
      coveredLeaves: number;
    }
  | { verified: false; code: BundleFault };

/**
 * Verifies a bundle against a trusted log: the log's key signed every member, each record is a leaf of the log in
 * exactly this form, and no action that names a content of this history is missing. `bundle` is any value, such as
 * parsed JSON of a file. The function never throws for its content, and makes no requests.
 *
 * The log commits to entities, actions and attributions; `resources` and `recordedAt` are only signed. A monitor of
 * the log detects a split view of the log, and a wrong map of identifiers.
 *
 * @example
 * verifyBundle({}, { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'malformed' }
 */
export function verifyBundle(bundle: unknown, trusted: TrustedLog, verify: VerifySignature): BundleReport {
  if (isOtherVersion(bundle)) return refused('unsupportedVersion');
  const parsed = claimedBundleSchema.safeParse(bundle);
  if (!parsed.success) return refused('malformed');
  const claim = parsed.data;
  const { origin, checkpoint: note, mentions } = claim.proof;
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return refused('malformedCheckpoint');
  const fault =
    findSignerFault(checkpoint, { named: origin, trusted, verify }) ??
    findSignatureFault(claim, bundle as { proof: object }, { trusted, verify }) ??
    findRecordsFault(claim, checkpoint) ??
    findStatementFault(claim, checkpoint) ??
    findMentionFault(claim);
  if (fault !== undefined) return refused(fault);
  return {
    verified: true,
    cid: claim.cid,
    origin,
    size: checkpoint.size,
    records: claim.proof.records.length,
    complete: claim.complete,
    coveredLeaves: mentions.statement.leaves,
  };
}

function findSignatureFault(
  { proof: { origin, signatures } }: ClaimedBundle,
  signed: { proof: object },
  { trusted, verify }: { trusted: TrustedLog; verify: VerifySignature },
): BundleFault | undefined {
  const { keyId } = toVerifierKey(origin, trusted.publicKey);
  const own = signatures.filter(({ keyid }) => keyid === keyId);
  if (own.length === 0) return 'notSigned';
  const text = readText(signed);
  if (text === undefined) return 'malformed';
  const message = new TextEncoder().encode(text);
  const isSound = own.every(({ sig }) =>
    verify(trusted.publicKey, message, fromBase64(sig) ?? new Uint8Array()),
  );
  return isSound ? undefined : 'badBundleSignature';
}

function readText(signed: { proof: object }): string | undefined {
  try {
    return provenBundleText(signed);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return undefined;
    throw error;
  }
}

function findRecordsFault(claim: ClaimedBundle, checkpoint: Checkpoint): BundleFault | undefined {
  const { entities, actions, attributions, proof } = claim;
  const lists: [RecordKind, readonly { id: string }[]][] = [
    ['entity', entities],
    ['action', actions],
    ['attribution', attributions],
  ];
  const proofs = new Map(proof.records.map((one) => [`${one.kind} ${one.id}`, one]));
  const records = lists.flatMap(([kind, list]) =>
    list.map((body) => ({ kind, body: body as JsonObject & { id: string } })),
  );
  const isOneForOne = proofs.size === proof.records.length && proofs.size === records.length;
  if (!isOneForOne || new Set(records.map(({ kind, body }) => `${kind} ${body.id}`)).size !== proofs.size)
    return 'unprovenRecord';
  for (const { kind, body } of records) {
    const own = proofs.get(`${kind} ${body.id}`);
    if (own === undefined) return 'unprovenRecord';
    const restored = restoreErased({ kind, body, salts: own.salts }, own.erased ?? {});
    if (restored === undefined) return 'digestMismatch';
    const fault = findRecordFault({ kind, body: restored, salts: own.salts, digest: own.digest });
    if (fault !== undefined) return fault;
    if (kind === 'action' && body.digest !== own.digest) return 'digestMismatch';
    const treeFault = findTreeFault(checkpoint, own, own.digest);
    if (treeFault !== undefined) return treeFault;
  }
  const known = new Set(entities.map(({ id }) => id));
  const named = [
    ...actions.map(({ performedBy }) => performedBy),
    ...attributions.map(({ entityId }) => entityId),
  ];
  return named.every((id) => known.has(id)) ? undefined : 'absentEntity';
}

/** A statement can only cover leaves before its own. */
function findStatementFault(
  { proof: { mentions } }: ClaimedBundle,
  checkpoint: Checkpoint,
): BundleFault | undefined {
  const { statement, leafIndex } = mentions;
  const digest = statementDigest(statement);
  const isIncluded = findTreeFault(checkpoint, mentions, digest) === undefined;
  return isIncluded && statement.leaves <= leafIndex ? undefined : 'otherStatement';
}

function findTreeFault(
  checkpoint: Checkpoint,
  { leafIndex, inclusionPath }: { leafIndex: number; inclusionPath: string[] },
  digest: string,
): 'leafOutsideTree' | 'notIncluded' | undefined {
  if (leafIndex >= checkpoint.size) return 'leafOutsideTree';
  const path = inclusionPath.map((hash) => fromBase64(hash) ?? new Uint8Array());
  const inclusion = { leafIndex, leafHash: leafHash(digest), path };
  return verifyInclusion(inclusion, checkpoint) ? undefined : 'notIncluded';
}

function isOtherVersion(bundle: unknown): boolean {
  const { version = 1 } = Object((Object(bundle) as { proof?: unknown }).proof) as { version?: unknown };
  return version !== 1;
}

function refused(code: BundleFault): BundleReport {
  return { verified: false, code };
}
