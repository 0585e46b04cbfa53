import type { Queryable } from '../platform/db/database.js';
import type { Candidate, Described } from './descriptor.js';
import type { Near } from './memory/protocol.js';
import type { MemoryIndex } from './memory-index.js';
import { readCandidates, readNearest } from './nearest.sql.js';

export interface NearestQuery {
  described: Described;
  limit: number;
  /** Aborts when the caller stops waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Finds the nearest content of the project, nearest first. A content can appear once for each flip or quarter turn.
 * Searches in the database until the index in memory contains the project.
 */
export async function findNearest(
  { db, index }: { db: Queryable; index: Pick<MemoryIndex, 'find'> },
  projectId: string,
  { described, limit, signal }: NearestQuery,
): Promise<Candidate[]> {
  const { method, turned } = described;
  const nearest = await index.find({ projectId, method, turned, limit }, signal);
  signal?.throwIfAborted();
  if (nearest === undefined) return readNearest(db, projectId, { described, limit, signal });
  if (nearest.every(hasEvidence)) return nearest;
  return readCandidates(db, projectId, { method, nearest });
}

function hasEvidence(near: Near): near is Near & { evidence: Uint8Array } {
  return near.evidence !== undefined;
}
