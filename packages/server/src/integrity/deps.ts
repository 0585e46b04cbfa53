import type { RecordKind } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../platform/db/database.js';

export interface IntegrityDeps {
  provenance: Database;
  blobs: BlobStore;
  /** Pauses so that the check stays within its share of CPU time. */
  rest: () => Promise<void>;
}

export const STAGES = ['entity', 'action', 'attribution', 'edge', 'leaf', 'node', 'content'] as const;
export type Stage = (typeof STAGES)[number];

/** The check of one project in a pass. The next step starts at the position `stage` and `after`. */
export interface IntegrityVisit {
  projectId: string;
  stage: Stage;
  after?: string | undefined;
  /** Number of leaves of the log when the visit began. The visit need not check records that are newer. */
  size: number;
  /** Number of checked items of this stage that were recorded after the visit began. */
  newer: number;
}

export interface IntegrityCursor {
  /** Visits that have not ended, in the order of their turns. */
  visits: readonly IntegrityVisit[];
  /** The last project whose visit began. Visits begin in the order of the projects' ids. */
  begun?: string | undefined;
}

export interface IntegrityFinding {
  projectId: string;
  kind: RecordKind | 'edge' | 'leaf' | 'node' | 'tree' | 'content';
  /** A record's id, a leaf's index, a CID, a node's position, an edge's CID and action id, or `root` for a tree. */
  subject: string;
  /**
   * `altered`: an item does not match its digest, the hashes below it, or the tree of the last pass. `unlogged`: a
   * record without its leaf, or a leaf without its record. `unlinked`: index columns or an edge that do not match the
   * body of a record. `misnamed`: the bytes of a content have another CID.
   */
  problem: 'altered' | 'missing' | 'unlogged' | 'unlinked' | 'misnamed';
}

/** `newer`: see `IntegrityVisit`. `after`: start of the next step, absent at the end of the stage. */
export interface CheckCounts {
  count: number;
  newer: number;
  findings: IntegrityFinding[];
  after: string | undefined;
}
