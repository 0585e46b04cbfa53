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

/** Why a proven bundle is refused, and what that says. */
export const BUNDLE_FAULTS = {
  unsupportedVersion: 'The proof is of a version that is not known here.',
  malformed: 'This is not a bundle with its proof: a member is absent, of another form, or unknown.',
  malformedCheckpoint: 'The checkpoint is not a signed statement of a tree.',
  otherOrigin: 'The checkpoint is of another log.',
  untrustedKey: 'The checkpoint is not signed by the key that is trusted.',
  badSignature: 'The signature of the checkpoint is wrong.',
  notSigned: 'The bundle is not signed by the key that is trusted.',
  badBundleSignature: 'The signature of the bundle is wrong: something in it was changed.',
  unprovenRecord: 'Records and proofs are not one for one.',
  otherKind: 'A record is not of the kind that its list says.',
  digestMismatch: 'A record is not the one that was digested: something in it was changed.',
  leafOutsideTree: 'The tree of the checkpoint ends before a leaf.',
  notIncluded: 'A proof does not lead from the leaf to the root of the checkpoint.',
  absentEntity: 'A record names an entity that the bundle does not hold.',
  otherStatement: 'What is said of the names is not in the log.',
  unstatedName: 'Nothing is said of how many actions name a content.',
  otherMentions: 'How many actions name a content is not what the log says.',
  leftOut: 'An action that names a content is left out, or one is there that does not.',
} as const;

/** Why a proven bundle is refused. */
export type BundleFault = keyof typeof BUNDLE_FAULTS;

/** What became of a verification. */
export type BundleReport =
  | {
      verified: true;
      cid: string;
      origin: string;
      /** Leaves of the tree that the checkpoint states. */
      size: number;
      /** How many records are proven. */
      records: number;
      /**
       * Whether no action is left out, of those among the first `coveredLeaves` leaves; false when the bundle says
       * itself that it was cut.
       */
      complete: boolean;
      coveredLeaves: number;
    }
  | { verified: false; code: BundleFault };

/**
 * Whether this bundle is what the log that is believed holds: signed by its key in every member, each record a leaf
 * as it stands, and no action left out that names a content of this history. `bundle` is any value, such as parsed
 * JSON of a file; nothing is thrown for what it holds, and nobody is asked.
 *
 * What the log commits to are entities, actions and attributions; `resources` and `recordedAt` are only signed. That
 * the log was the same for others, and that its map of names is made rightly, is seen by those who watch it.
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

/** A statement can only be about leaves before its own. */
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
