import type { RecordKind } from '@colophon/model';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Database } from '../platform/db/database.js';

export interface IntegrityDeps {
  provenance: Database;
  blobs: BlobStore;
  /** Pauses so that the check stays within its share of CPU time. */
  rest: () => Promise<void>;
}

/** Stages of the check of one project, in order. */
export const STAGES = ['entity', 'action', 'attribution', 'edge', 'leaf', 'node', 'content'] as const;
export type Stage = (typeof STAGES)[number];

/** Position of a pass: stage, project, and the `after` of the last step, from which the next step continues. */
export interface IntegrityCursor {
  projectId: string;
  stage: Stage;
  after?: string | undefined;
}

export interface IntegrityFinding {
  projectId: string;
  kind: RecordKind | 'edge' | 'leaf' | 'node' | 'tree' | 'content';
  /** A record's id, a leaf's index, a CID, a node's position, an edge's CID and action id, or `root` for a tree. */
  subject: string;
  /**
   * `altered`: does not match its digest; for a node, the hashes below it; for a tree, the tree of the last pass.
   * `missing`: does not exist. `unlogged`: a record without its leaf, or a leaf without its record. `unlinked`: a record
   * whose index columns do not match its body, or an edge that does not match its action. `misnamed`: the bytes have
   * another CID.
   */
  problem: 'altered' | 'missing' | 'unlogged' | 'unlinked' | 'misnamed';
}

/** `count`: items that this step checked. `after`: start of the next step, absent at the end of the stage. */
export interface CheckCounts {
  count: number;
  findings: IntegrityFinding[];
  after: string | undefined;
}
