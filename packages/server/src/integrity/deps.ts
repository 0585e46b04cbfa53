import type { RecordKind } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../platform/db/database.js';

/** Dependencies of the integrity check. */
export interface IntegrityDeps {
  provenance: Database;
  blobs: BlobStore;
  /** Pauses, so that the check takes no more than its share of the machine. */
  rest: () => Promise<void>;
}

/** Stages of the check of a project, in this order. */
export const STAGES = ['entity', 'action', 'attribution', 'edge', 'leaf', 'node', 'content'] as const;
export type Stage = (typeof STAGES)[number];

/** The position of a pass: everything up to `after` in this stage of this project is checked. */
export interface IntegrityCursor {
  projectId: string;
  stage: Stage;
  after?: string | undefined;
}

/** A deviation from the records. */
export interface IntegrityFinding {
  projectId: string;
  kind: RecordKind | 'edge' | 'leaf' | 'node' | 'tree' | 'content';
  /** The item: a record's id, a leaf's index, a CID, or the CID and the action's id of an edge. */
  subject: string;
  /**
   * `altered`: it differs from its digest. `missing`: it does not exist. `unlogged`: its leaf belongs to another
   * record. `unlinked`: its index columns do not match its body. `misnamed`: content whose bytes have another CID.
   */
  problem: 'altered' | 'missing' | 'unlogged' | 'unlinked' | 'misnamed';
}

/**
 * The result of one step: the number of checked items, the findings, and the position of the next step, absent at
 * the end.
 */
export interface CheckCounts {
  count: number;
  findings: IntegrityFinding[];
  after: string | undefined;
}
