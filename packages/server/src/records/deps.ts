import type { ProofPolicy } from '../access/check-proof.js';
import type { Signer } from '../access/ed25519.js';
import type { SignatureChecker } from '../access/signatures/signature-checker.js';
import type { BlobStore } from '../blobs/blob-store.js';
import type { CreateStreamHasher } from '../blobs/hashing/stream-hasher.js';
import type { Database, Queryable } from '../platform/db/database.js';
import type { FairLimit } from '../platform/work/limit-concurrency.js';
import type { Scheduler } from '../platform/work/scheduler.js';
import type { Converter } from './conversion/converter.js';
import type { MatchingDeps } from './matching/deps.js';
import type { Copies } from './pinning/copies.js';
import type { OpenCar } from './pinning/read-content.js';
import type { Answers } from './read/answers.js';
import type { BundleRows } from './read/bundle-rows.js';
import type { IdentifyEntity } from './write/entity-ids.js';
import type { Recorder } from './write/recorder.js';

/** Settings for the check of proofs of actions and registrations, and the key for countersignatures. */
export interface Proofs {
  policy: ProofPolicy;
  checker: SignatureChecker;
  /** After this number of wrong signatures, the service does not check the rest of a batch. */
  maxFaults: number;
  /** Makes countersignatures for outputs whose bytes the service received. */
  signer: Signer | undefined;
  /** Logs a problem that the service accepts under the policy `warn`, but would reject under `enforce`. */
  warn: (message: string, facts: WarningSubject) => void;
}

export interface WarningSubject {
  entityId: string;
  actionId?: string;
}

/** An API key that may act only for one entity. */
export interface BoundKey {
  keyId: string;
  entityId: string;
}

export interface RecordDeps {
  provenance: Database;
  /** Database for reads on which no write depends. It is as recent as `provenance`, but can be a replica. */
  reads: Queryable;
  bundles: BundleRows;
  answers: Answers;
  converter: Converter;
  recorder: Recorder;
  /** Set when the API key is bound to an entity. The recorder then rejects records of other entities. */
  boundKey?: BoundKey;
  identifyEntity: IdentifyEntity;
  proofs: Proofs;
  blobs: BlobStore;
  matching: MatchingDeps;
  scheduler: Scheduler;
  /** Whether any other project has a request in progress. If so, long reads pause between statements. */
  hasOtherRequests?: (projectId: string) => boolean;
  /** Maximum number of rows that one page of a list reads, including rows that filters exclude or `offset` skips. */
  maxListRows: number;
  /** Maximum number of records in one batch or import: entities, actions and attributions together. */
  maxBatchRecords: number;
  /** Maximum number of actions that one request may write one by one. Absent for no limit. */
  maxSerialActions?: number | undefined;
  /** Limits how many lists a project reads at the same time outside the fair queue. */
  limitLists: FairLimit;
  createHasher: CreateStreamHasher;
  /** Copies of recorded bytes at pinning services. */
  copies: Copies;
  openCar: OpenCar;
}
