import type { RecordKind } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../platform/db/database.js';

/** Dependencies of the integrity check. */
export interface IntegrityDeps {
  provenance: Database;
  blobs: BlobStore;
  /** Waits, so that the audit takes no more than its share of the machine. */
  rest: () => Promise<void>;
}

/** Stages of the check of a project, in this order. */
export const STAGES = ['entity', 'action', 'attribution', 'edge', 'leaf', 'node', 'content'] as const;
export type Stage = (typeof STAGES)[number];

/** How far a pass has come: within this stage of this project, all up to `after` was looked at. */
export interface AuditLogCursor {
  projectId: string;
  stage: Stage;
  after?: string | undefined;
}

/** Something that is not as it was recorded. */
export interface IntegrityFinding {
  projectId: string;
  kind: RecordKind | 'edge' | 'leaf' | 'node' | 'tree' | 'content';
  /** Which one: a record's id, a leaf's index, a CID, the CID and the action's id of an edge. */
  subject: string;
  /**
   * `altered`: it is another. `missing`: it is gone. `unlogged`: its leaf is not that of the record. `unlinked`: it is
   * found by something else than it says. `misnamed`: content whose bytes have another CID.
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
