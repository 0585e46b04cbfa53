import type { Anchor } from '@colophon/model';
import type { Database } from '../platform/db/database.js';
import type { CompleteNodes } from './complete-nodes.js';
import type { LogSigner } from './log-signer.js';
import type { SignedHeads } from './signed-heads.js';

export interface TransparencyLogDeps {
  provenance: Database;
  /** If undefined, there are no checkpoints. */
  signer: LogSigner | undefined;
  /** If undefined, the service cannot detect that the database is an older copy. */
  signedHeads?: SignedHeads | undefined;
  /** Host and path of the service. The origin of a new log is this text and then `/log/<project id>`. */
  service: string;
  witnessKeys?: readonly string[];
  /** Maximum number of leaves in a bucket of the map; 16,384 by default. */
  maxPrefixNames?: number | undefined;
  readAnchoredLeaf: (
    projectId: string,
    leafIndex: number,
  ) => Promise<{ head: { size: number; origin: string } | undefined; anchor: Anchor } | undefined>;
  /** Runs a function in the fair queue. A call that waits for its slot holds no database connection. */
  limitConcurrency: <T>(projectId: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Call this only in a request that occupies no slot of the fair queue. */
  completeNodes: CompleteNodes;
  /** Whether a request of another project is running. Long proofs then leave processor time to the other project. */
  hasOtherRequests?: (projectId: string) => boolean;
}
