import type { Database } from '../platform/db/database.js';
import type { Lease } from '../platform/jobs/lease.sql.js';
import type { Registry } from './anchors.sql.js';
import type { Chain } from './chain.js';

/** How often and how patiently things are anchored; times in seconds. */
export interface AnchoringPace {
  /** At most one root of heads in this time. */
  everySeconds: number;
  /** Blocks, its own counted, under which an anchor is final. */
  confirmations: number;
  pollSeconds: number;
  /** A transaction that is in no block after this long gets a higher fee. */
  bumpSeconds: number;
  /** A transaction that the node may have dropped is sent again after this long. */
  resendSeconds: number;
  /** After a failure the next try comes later each time, up to this. */
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

/** Dependencies of anchoring. */
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
