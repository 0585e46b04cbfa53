import type { Anchor } from '@colophon/model';
import type { Database } from '../platform/db/database.js';
import type { LogSigner } from './log-signer.js';
import type { SignedHeads } from './signed-heads.js';

export interface TransparencyLogDeps {
  provenance: Database;
  /** Signs checkpoints; without it there are none. */
  signer: LogSigner | undefined;
  /** The newest signed checkpoints; without them, the database alone decides what is signed. */
  signedHeads?: SignedHeads | undefined;
  /** Host and path of the service. The origin of a new log is this and `/log/<project id>`. */
  service: string;
  /** The keys of the configured witnesses as text. */
  witnessKeys?: readonly string[];
  readAnchoredLeaf: (
    projectId: string,
    leafIndex: number,
  ) => Promise<{ head: { size: number; origin: string } | undefined; anchor: Anchor } | undefined>;
  /** Waits in the fair queue, so that callers who wait for a project's map hold no database connection. */
  limitConcurrency: <T>(projectId: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** Whether another project has a request under way. Long proofs then leave processor time to it. */
  hasOtherRequests?: (projectId: string) => boolean;
}
