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

export interface Proofs {
  policy: ProofPolicy;
  checker: SignatureChecker;
  /** After this number of wrong signatures, the service does not check the rest of a batch. */
  maxFaults: number;
  /** Makes countersignatures over the bytes that the service received. */
  signer: Signer | undefined;
  /** Logs a problem that the service accepts under the policy `warn`, but would reject under `enforce`. */
  warn: (message: string, facts: WarningSubject) => void;
}

export interface WarningSubject {
  entityId: string;
  actionId?: string;
}

export interface BoundKey {
  keyId: string;
  entityId: string;
}

export interface RecordDeps {
  provenance: Database;
  /** The database for reads on which no write depends. It can be a replica, but is as recent as `provenance`. */
  reads: Queryable;
  bundles: BundleRows;
  answers: Answers;
  converter: Converter;
  recorder: Recorder;
  /** Set for a bound key. The recorder then rejects records of other entities. */
  boundKey?: BoundKey;
  identifyEntity: IdentifyEntity;
  proofs: Proofs;
  blobs: BlobStore;
  matching: MatchingDeps;
  scheduler: Scheduler;
  /** Whether another project has a request in progress. If so, long reads pause between statements. */
  hasOtherRequests?: (projectId: string) => boolean;
  /** Maximum number of rows that one page of a list reads, including rows that it skips. */
  maxListRows: number;
  /** Maximum number of records in one batch or import: entities, actions and attributions together. */
  maxBatchRecords: number;
  /** Maximum number of actions that one request may write one by one. */
  maxSerialActions?: number | undefined;
  /** Limits the lists that a project reads at the same time outside the fair queue. */
  limitLists: FairLimit;
  createHasher: CreateStreamHasher;
  copies: Copies;
  openCar: OpenCar;
}
