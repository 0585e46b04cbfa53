import { proveConsistency, proveInclusion, TILE_WIDTH, treeRoot } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { type CompleteNodes, completeNodes } from './complete-nodes.js';
import { createSha256 } from './create-sha256.js';
import type { Span } from './log.sql.js';
import { readHashes } from './read-hashes.js';
import { countAt, createSubtreeReader } from './tile-subtrees.js';

export interface TreeReader {
  readonly projectId: string;
  readonly size: number;
  readRoot(): Promise<Uint8Array>;
  proveInclusion(leafIndex: number): Promise<Uint8Array[]>;
  /** Proves that the tree over the first `from` leaves is a prefix of this tree. */
  proveConsistency(from: number): Promise<Uint8Array[]>;
  /** Level n has one hash for each 256^n leaves. */
  readHashes(level: number, span: Span): Promise<Uint8Array[]>;
}

/** The log must have at least `size` leaves. Computes and stores nodes of complete tiles that are not stored yet. */
export async function openTree(db: Queryable, projectId: string, size: number): Promise<TreeReader> {
  await completeNodes(db, { projectId, size });
  return readTree(db, projectId, size);
}

/**
 * Does the same as `openTree`, but missing nodes wait in the fair queue. So the caller must not occupy a slot of this
 * queue.
 */
export async function openTreeInTurn(
  { provenance, completeNodes: complete }: { provenance: Queryable; completeNodes: CompleteNodes },
  projectId: string,
  { size, signal }: { size: number; signal?: AbortSignal | undefined },
): Promise<TreeReader> {
  await complete(projectId, size, signal);
  return readTree(provenance, projectId, size);
}

/** All complete tiles must have their nodes. */
function readTree(db: Queryable, projectId: string, size: number): TreeReader {
  const readSubtrees = createSubtreeReader((level, index) => {
    const from = index * TILE_WIDTH;
    const to = Math.min(from + TILE_WIDTH, countAt(level, size));
    return readHashes(db, projectId, { level, from, to });
  });
  return {
    projectId,
    size,
    readRoot: () => treeRoot(size, readSubtrees, createSha256),
    proveInclusion: (leafIndex) => proveInclusion({ leafIndex, size }, readSubtrees, createSha256),
    proveConsistency: (from) => proveConsistency({ from, to: size }, readSubtrees, createSha256),
    readHashes: (level, span) => readHashes(db, projectId, { level, ...span }),
  };
}
