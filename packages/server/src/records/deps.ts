import type { ProofPolicy } from '../access/check-proof.js';
import type { Signer } from '../access/ed25519.js';
import type { SignatureChecker } from '../access/signatures/signature-checker.js';
import type { BlobStore } from '../blobs/blob-store.js';
import type { CreateStreamHasher } from '../blobs/hashing/stream-hasher.js';
import type { Database, Queryable } from '../platform/db/database.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import type { Converter } from './conversion/converter.js';
import type { MatchingDeps } from './matching/deps.js';
import type { Copies } from './pinning/copies.js';
import type { Answers } from './read/answers.js';
import type { BundleRows } from './read/bundle-rows.js';
import type { IdentifyEntity } from './write/entity-ids.js';
import type { Recorder } from './write/recorder.js';

/** How proofs of performers and registrations are checked. */
export interface Proofs {
  policy: ProofPolicy;
  checker: SignatureChecker;
  /** Signatures of a batch are checked until so many were wrong. */
  maxFaults: number;
  /** Witnesses outputs whose bytes the service saw. */
  signer: Signer | undefined;
  /** Told of what `enforce` would refuse, and in which record. */
  warn: (message: string, facts: WarningSubject) => void;
}

/** The record that a warning is about. */
export interface WarningSubject {
  entityId: string;
  actionId?: string;
}

/** A key that is bound to an entity: it records in this entity's name alone. */
export interface BoundKey {
  keyId: string;
  entityId: string;
}

/** Dependencies of the use cases of records. */
export interface RecordDeps {
  provenance: Database;
  /** Where records are read that are shown, not acted on: as recent as `provenance`, and perhaps a replica. */
  reads: Queryable;
  bundles: BundleRows;
  /** Answers that were made of these, for as long as they hold. */
  answers: Answers;
  converter: Converter;
  recorder: Recorder;
  /** Of a caller whose key is bound to an entity; the recorder then keeps to this entity. */
  boundKey?: BoundKey;
  identifyEntity: IdentifyEntity;
  proofs: Proofs;
  blobs: BlobStore;
  matching: MatchingDeps;
  /** Says when expensive work is done. */
  scheduler: Scheduler;
  /** Hashes uploads. */
  createHasher: CreateStreamHasher;
  /** Of recorded bytes, at pinning services. */
  copies: Copies;
}
