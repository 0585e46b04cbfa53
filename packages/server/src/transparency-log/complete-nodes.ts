import { TILE_WIDTH } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { createSharedTasks } from '../platform/work/shared-tasks.js';
import { countNodes, keepNodes } from './log.sql.js';
import { readHashes } from './read-hashes.js';
import { countAt, rootOf } from './tile-subtrees.js';

/** Stores the missing nodes over the first `size` leaves. Rejects with the reason of `signal` when it aborts. */
export type CompleteNodes = (projectId: string, size: number, signal?: AbortSignal) => Promise<void>;

type RunStep = (step: () => Promise<void>) => Promise<void>;

/** A step computes about 2,000 hashes. Between steps, the thread serves other requests. */
const TILES_AT_ONCE = 4;
const RETRY_SECONDS = 2;

/** The log lacks more nodes than one step computes. */
export class MissingNodesError extends ServiceError {
  constructor(readonly size: number) {
    super(
      'Unavailable',
      'This log has grown by many records, and the service has not computed all of its hashes yet.',
      {
        recovery: 'Send the request again after Retry-After.',
        headers: { 'retry-after': String(RETRY_SECONDS) },
      },
    );
  }
}

/**
 * Creates a `CompleteNodes` for requests. All concurrent requests of a project share one computation, which stops when
 * all of them have aborted. Its steps may wait in the fair queue, so a caller must not occupy a slot of this queue.
 */
export function createCompleteNodes(
  db: Queryable,
  limitConcurrency: (projectId: string, run: () => Promise<void>, signal?: AbortSignal) => Promise<void>,
): CompleteNodes {
  const join = createSharedTasks<number>();
  return async (projectId, size, signal) => {
    const tiles = countAt(1, size);
    // The running computation may have begun for a smaller tree.
    for (let completed = 0; completed < tiles; )
      completed = await join(projectId, signal, async (left) => {
        await completeNodes(db, { projectId, size }, (step) => limitConcurrency(projectId, step, left));
        return tiles;
      });
  };
}

export function createCompleteFewNodes(db: Queryable): CompleteNodes {
  return (projectId, size) =>
    completeNodes(db, { projectId, size }, () => Promise.reject(new MissingNodesError(size)));
}

/** Calls `runStep` only if more than `TILES_AT_ONCE` tiles lack their roots. */
export async function completeNodes(
  db: Queryable,
  { projectId, size }: { projectId: string; size: number },
  runStep: RunStep = (step) => step(),
): Promise<void> {
  let levels = 0;
  while (countAt(levels + 1, size) > 0) levels++;
  if (levels === 0) return;
  const kept = await countNodes(db, projectId, levels);
  const lacking = Array.from({ length: levels }, (_, below) => ({
    ...{ projectId, level: below + 1 },
    ...{ from: kept[below] ?? 0, to: countAt(below + 1, size) },
  }));
  const missing = lacking.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  for (const { from: first, to: end, ...place } of lacking)
    for (let from = first; from < end; from += TILES_AT_ONCE) {
      const step = () => completeTiles(db, { ...place, from, to: Math.min(from + TILES_AT_ONCE, end) });
      await (missing > TILES_AT_ONCE ? runStep(step) : step());
    }
}

async function completeTiles(
  db: Queryable,
  { projectId, level, from, to }: { projectId: string; level: number; from: number; to: number },
): Promise<void> {
  const below = { level: level - 1, from: from * TILE_WIDTH, to: to * TILE_WIDTH };
  const hashes = await readHashes(db, projectId, below);
  const roots = Array.from({ length: to - from }, (_, place) =>
    rootOf(hashes.slice(place * TILE_WIDTH, (place + 1) * TILE_WIDTH)),
  );
  await keepNodes(db, projectId, { level, from, hashes: roots });
}
