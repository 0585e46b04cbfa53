import { fromBase64 } from '../base64.js';
import { CanonicalJsonError, type JsonObject } from '../canonical-json.js';
import type { VerifySignature } from '../proofs/signature.js';
import type { RecordKind } from '../record-digest.js';
import { provenBundleText, statementDigest } from './bundle-proof.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { type ClaimedBundle, claimedBundleSchema } from './claimed-bundle.js';
import { INPUT_FAULTS, type ProofWarning, type VerifyOptions } from './proof-input.js';
import { findRecordFault, hasUnusedSalt, restoreErased } from './record-fault.js';
import { listSignedOnly } from './signed-only.js';
import { leafHash } from './tree-hash.js';
import { toVerifierKey } from './verifier-key.js';
import { findMentionFault } from './verify-mentions.js';
import { verifyInclusion } from './verify-proofs.js';
import { findSignerFault, type TrustedLog } from './verify-signer.js';

/** The codes of a failed verification of a proven bundle, with their meanings. */
export const BUNDLE_FAULTS = {
  ...INPUT_FAULTS,
  unsupportedVersion: 'The version of the proof is unknown.',
  malformed: 'This is not a bundle with its proof: a member is absent, malformed or unknown.',
  malformedCheckpoint: 'The checkpoint is not a signed note with an origin, a size and a root.',
  otherOrigin: 'The checkpoint belongs to another log.',
  untrustedKey: 'The trusted key did not sign the checkpoint.',
  badSignature: 'The signature of the checkpoint is wrong.',
  notSigned: 'The trusted key did not sign the bundle.',
  badBundleSignature: 'The signature of the bundle is wrong: the bundle was changed.',
  unprovenRecord: 'The records and the proofs do not match one to one.',
  otherKind: 'A record does not have the form of its kind.',
  digestMismatch: 'A record does not match its digest: the record was changed.',
  leafOutsideTree: 'The index of a leaf is not below the size of the tree in the checkpoint.',
  notIncluded: 'A proof does not lead from the leaf to the root of the checkpoint.',
  absentEntity: 'A record names an entity that the bundle does not contain.',
  otherStatement:
    'The log does not contain the statement of the map, or the map also covers the leaf of the statement.',
  unstatedName: 'The proof has no entry for an action of the bundle, or for an identifier of its contents.',
  otherMentions:
    'An entry of the proof does not match the map: other records in the log name the content or the action.',
  leftOut: 'An action or an attribution is missing, or the bundle has an unrelated one.',
} as const;

/** A code of a failed verification. */
export type BundleFault = keyof typeof BUNDLE_FAULTS;

/**
 * A part of a bundle that the log does not cover. `resources` is a member of the bundle. `recordedAt` and `onchain` are
 * members of its records. `attributions`: a proof of version 1 does not show whether attributions are missing.
 */
export type UnprovenPart = 'resources' | 'recordedAt' | 'onchain' | 'attributions';

/** The result of a verification. */
export type BundleReport =
  | {
      verified: true;
      cid: string;
      origin: string;
      /** Number of leaves of the tree in the checkpoint. */
      size: number;
      records: number;
      /**
       * Whether the bundle has all actions of its history that are among the first `coveredLeaves` leaves. With a proof
       * of version 2, `true` also means that the bundle has all attributions of its actions and contents among these
       * leaves. False if the bundle itself states that it is incomplete.
       */
      complete: boolean;
      coveredLeaves: number;
      /** Parts of the bundle that the log does not cover. The service only signed them. */
      unproven: UnprovenPart[];
      /**
       * Sorted names of all members that the service signed and the log does not prove. They are members of the bundle
       * (such as `aliases`, and unknown members) and of its records (such as `recordedAt`). An unknown member can have
       * any name, so escape the names before printing.
       */
      signedOnly: string[];
      /** Faults that only a strict verification refuses. */
      warnings: ProofWarning[];
    }
  | { verified: false; code: BundleFault };

/**
 * Verifies a bundle against a trusted log. The function checks that the log's key signed every member, and that the log
 * has a leaf with the digest of each record. If the bundle states that it is complete, the function also checks that it
 * has all actions of its history. `proof.direction` selects the history: the ancestors of the content, its descendants,
 * or both. With a proof of version 2, the same check covers the attributions of its contents and actions.
 * `bundle` is any value, such as the parsed JSON of a file. The function never throws for a malformed bundle, and makes
 * no requests.
 *
 * The log commits to entities, actions and attributions. The report names all other members: the service only signed
 * them. With false `aliases`, the service can present the history of one content as the history of another. This
 * function cannot detect that the log shows another tree to other readers, or that the log's map of identifiers is
 * wrong. A monitor of the log detects both.
 *
 * @example
 * verifyBundle({}, { publicKey: new Uint8Array(32) }, () => true); // => { verified: false, code: 'malformed' }
 */
export function verifyBundle(
  bundle: unknown,
  trusted: TrustedLog,
  verify: VerifySignature,
  { strict = false }: VerifyOptions = {},
): BundleReport {
  if (isOtherVersion(bundle)) return refused('unsupportedVersion');
  const parsed = claimedBundleSchema.safeParse(bundle);
  if (!parsed.success) return refused('malformed');
  const claim = parsed.data;
  const { origin, checkpoint: note, mentions } = claim.proof;
  const checkpoint = parseCheckpoint(note);
  if (checkpoint === undefined) return refused('malformedCheckpoint');
  const records = pairRecords(claim);
  const fault =
    findSignerFault(checkpoint, { named: origin, trusted, verify }) ??
    findSignatureFault(claim, bundle as { proof: object }, { trusted, verify }) ??
    findRecordsFault(records, { checkpoint, strict }) ??
    findAbsentEntity(claim) ??
    findStatementFault(claim, checkpoint) ??
    findMentionFault(claim);
  if (fault !== undefined || records === undefined) return refused(fault ?? 'unprovenRecord');
  const hasUnused = records.some(({ kind, body, proof }) =>
    hasUnusedSalt({ kind, body, salts: proof.salts }),
  );
  return {
    verified: true,
    cid: claim.cid,
    origin,
    size: checkpoint.size,
    records: claim.proof.records.length,
    complete: claim.complete,
    coveredLeaves: mentions.statement.leaves,
    unproven: listUnproven(claim, records),
    signedOnly: listSignedOnly(claim, records),
    warnings: hasUnused ? ['unusedSalt'] : [],
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

interface PairedRecord {
  kind: RecordKind;
  body: JsonObject;
  proof: ClaimedBundle['proof']['records'][number];
}

/** Pairs records with proofs by kind and id. Returns undefined if they do not match one to one. */
function pairRecords({ entities, actions, attributions, proof }: ClaimedBundle): PairedRecord[] | undefined {
  const lists: [RecordKind, readonly { id: string }[]][] = [
    ['entity', entities],
    ['action', actions],
    ['attribution', attributions],
  ];
  const proofs = new Map(proof.records.map((one) => [`${one.kind} ${one.id}`, one]));
  const count = proof.records.length;
  const paired = new Map<string, PairedRecord>();
  for (const [kind, list] of lists) {
    for (const body of list) {
      const own = proofs.get(`${kind} ${body.id}`);
      if (own === undefined || paired.size >= count) return undefined;
      paired.set(`${kind} ${body.id}`, { kind, body: body as JsonObject, proof: own });
    }
  }
  const listed = entities.length + actions.length + attributions.length;
  return paired.size === count && listed === count ? [...paired.values()] : undefined;
}

function findRecordsFault(
  records: readonly PairedRecord[] | undefined,
  { checkpoint, strict }: { checkpoint: Checkpoint; strict: boolean },
): BundleFault | undefined {
  if (records === undefined) return 'unprovenRecord';
  for (const { kind, body, proof } of records) {
    const { salts, digest, erased } = proof;
    const restored = restoreErased({ kind, body, salts }, erased);
    if (restored === undefined) return 'digestMismatch';
    const fault = findRecordFault({ kind, body: restored, salts, digest });
    if (fault !== undefined) return fault;
    if (strict && hasUnusedSalt({ kind, body, salts })) return 'unusedSalt';
    if (kind === 'action' && body.digest !== digest) return 'digestMismatch';
    const treeFault = findTreeFault(checkpoint, proof, digest);
    if (treeFault !== undefined) return treeFault;
  }
  return undefined;
}

function findAbsentEntity({ entities, actions, attributions }: ClaimedBundle): BundleFault | undefined {
  const known = new Set(entities.map(({ id }) => id));
  const named = [
    ...actions.map(({ performedBy }) => performedBy),
    ...attributions.map(({ entityId }) => entityId),
  ];
  return named.every((id) => known.has(id)) ? undefined : 'absentEntity';
}

function listUnproven(claim: ClaimedBundle, records: readonly PairedRecord[]): UnprovenPart[] {
  const isMember = (name: string) => records.some(({ body }) => Object.hasOwn(body, name));
  return [
    ...(Object.hasOwn(claim, 'resources') ? (['resources'] as const) : []),
    ...(['recordedAt', 'onchain'] as const).filter(isMember),
    ...(claim.proof.version === 1 ? (['attributions'] as const) : []),
  ];
}

/** The log must contain the statement, and the map may cover only leaves before it. */
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

/** Whether the proof has an unknown version. A proof of version 2 must have a statement of version 2. */
function isOtherVersion(bundle: unknown): boolean {
  const memberOf = (owner: unknown, name: string) => (Object(owner) as Record<string, unknown>)[name];
  const proof = memberOf(bundle, 'proof');
  const version = memberOf(proof, 'version');
  if (version !== 2) return version !== undefined && version !== 1;
  return memberOf(memberOf(memberOf(proof, 'mentions'), 'statement'), 'version') !== 2;
}

function refused(code: BundleFault): BundleReport {
  return { verified: false, code };
}
