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

/** Settings and key for the proofs of performers and registrations. */
export interface Proofs {
  policy: ProofPolicy;
  checker: SignatureChecker;
  /** Number of wrong signatures after which the rest of a batch is not checked. */
  maxFaults: number;
  /** Countersigns outputs whose bytes the service saw. */
  signer: Signer | undefined;
  /** Called for each proof that `enforce` would reject. */
  warn: (message: string, facts: WarningSubject) => void;
}

export interface WarningSubject {
  entityId: string;
  actionId?: string;
}

/** A key that is bound to an entity. It may record only for this entity. */
export interface BoundKey {
  keyId: string;
  entityId: string;
}

/** Dependencies of the use cases of records. */
export interface RecordDeps {
  provenance: Database;
  /** The database for reads without a decision: as recent as `provenance`, and perhaps a replica. */
  reads: Queryable;
  bundles: BundleRows;
  /** Cached answers from these reads. */
  answers: Answers;
  converter: Converter;
  recorder: Recorder;
  /** Set when the caller's key is bound to an entity. The recorder then rejects other entities. */
  boundKey?: BoundKey;
  identifyEntity: IdentifyEntity;
  proofs: Proofs;
  blobs: BlobStore;
  matching: MatchingDeps;
  /** Schedules expensive work. */
  scheduler: Scheduler;
  createHasher: CreateStreamHasher;
  /** Copies of recorded bytes at pinning services. */
  copies: Copies;
}
