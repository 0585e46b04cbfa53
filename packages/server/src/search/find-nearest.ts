import type { Queryable } from '../platform/db/database.js';
import type { Candidate, Described } from './descriptor.js';
import type { Near } from './memory/protocol.js';
import type { MemoryIndex } from './memory-index.js';
import { readCandidates, readNearest } from './nearest.sql.js';

/** The vector to search for, and the number of results. */
export interface NearestQuery {
  described: Described;
  limit: number;
  /** Nobody waits for it any more. */
  signal?: AbortSignal | undefined;
}

/**
 * The project's content nearest to what is asked for, nearest first; the same content once for each near turn. By the
 * index in memory, and by the database while the project is not in it.
 */
export async function findNearest(
  { db, index }: { db: Queryable; index: Pick<MemoryIndex, 'find'> },
  projectId: string,
  { described, limit, signal }: NearestQuery,
): Promise<Candidate[]> {
  const { method, turned } = described;
  const nearest = await index.find({ projectId, method, turned, limit }, signal);
  signal?.throwIfAborted();
  if (nearest === undefined) return readNearest(db, projectId, { described, limit });
  if (nearest.every(hasEvidence)) return nearest;
  return readCandidates(db, projectId, { method, nearest });
}

function hasEvidence(near: Near): near is Near & { evidence: Uint8Array } {
  return near.evidence !== undefined;
}
