import type { Database } from '../platform/db/database.js';
import type { Lease } from '../platform/jobs/lease.sql.js';
import type { Registry } from './anchors.sql.js';
import type { Chain } from './chain.js';

/** Times are in seconds. */
export interface AnchoringPace {
  /** Minimum time between two anchors with the method `checkpoint`. */
  everySeconds: number;
  /** Number of blocks after which an anchor is final. The block of the anchor counts too. */
  confirmations: number;
  pollSeconds: number;
  /** If no block contains a transaction after this time, the service sends it with a higher fee. */
  bumpSeconds: number;
  /** The service sends a transaction again after this time, because the node of the chain may have dropped it. */
  resendSeconds: number;
  /** Maximum pause after repeated failures. */
  maxPauseSeconds: number;
  leaseSeconds: number;
}

export interface AnchoringCounts {
  transactions: number;
  replacements: number;
  reorgs: number;
  troubles: number;
}

export interface AnchoringDeps {
  provenance: Database;
  control: Database;
  chain: Chain;
  registry: Registry;
  method: 'checkpoint' | 'action';
  pace: AnchoringPace;
  lease: Lease;
  counts: AnchoringCounts;
}
