import type { Database } from '../platform/db/database.js';
import type { Lease } from '../platform/jobs/lease.sql.js';
import type { Registry } from './anchors.sql.js';
import type { Chain } from './chain.js';

/** Intervals of anchoring; times in seconds. */
export interface AnchoringPace {
  /** The service makes at most one root of heads in this time. */
  everySeconds: number;
  /** An anchor with this many blocks, its own included, is final. */
  confirmations: number;
  pollSeconds: number;
  /** A transaction gets a higher fee when no block contains it after this time. */
  bumpSeconds: number;
  /** After this time a transaction is sent again, since the node may have dropped it. */
  resendSeconds: number;
  /** The longest pause after repeated failures. */
  maxPauseSeconds: number;
  leaseSeconds: number;
}

/** Counts of this node since it started. */
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
