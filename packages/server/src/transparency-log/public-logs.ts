import { formatTilePath, TILE_WIDTH, type Tile } from '@colophon/model';
import type { FairLimit, GroupedLimit } from '../platform/work/limit-concurrency.js';
import { setNewest } from '../platform/work/set-newest.js';
import { readCheckpoint } from './checkpoint.js';
import { createCompleteFewNodes, MissingNodesError } from './complete-nodes.js';
import type { TransparencyLogDeps } from './deps.js';
import { readTile } from './read-tile.js';

/** The methods resolve to undefined if the log is private or the tile does not exist. */
export interface PublicLogs {
  /**
   * `projectId` must be a UUID. If a log lacks hashes, the service computes them in the fair queue. Meanwhile the
   * caller does not count for `limitConcurrency` and `limitReads`, so it does not delay readers of other logs.
   */
  readCheckpoint(by: PublicReader, projectId: string): Promise<string | undefined>;
  readTile(by: PublicReader, projectId: string, tile: Tile): Promise<Buffer | undefined>;
}

/** `caller`: IP address or network of the reader. `signal` aborts when the reader has left. */
export interface PublicReader {
  caller: string;
  signal?: AbortSignal | undefined;
}

export interface PublicLogDeps {
  logs: TransparencyLogDeps;
  isPublic: (projectId: string) => Promise<boolean>;
  /** Limits the look-ups of `isPublic`. A caller can name any project, so the callers take turns. */
  limitConcurrency: FairLimit;
  /** Limits the reads of public logs. The logs take turns. Within a log, the callers take turns. */
  limitReads: GroupedLimit;
  now?: () => number;
}

/** Maximum age of a cached checkpoint. */
const CHECKPOINT_MS = 1_000;
const MAX_CHECKPOINTS = 1_000;
/** Before each repetition of a read, the service computes the missing hashes of the log. */
const MORE_TRIES = 2;
/** Each full tile has 8 KiB, or 8.5 KiB for a tile of entries. */
const MAX_TILES = 512;

export function createPublicLogs({
  logs,
  isPublic,
  limitConcurrency,
  limitReads,
  now = () => performance.now(),
}: PublicLogDeps): PublicLogs {
  const logsInSlot = { ...logs, completeNodes: createCompleteFewNodes(logs.provenance) };
  const checkpoints = new Map<string, { note: Promise<string>; untilMs: number }>();
  const tiles = new Map<string, Buffer>();

  function openCheckpoint(projectId: string): Promise<string> {
    const cached = checkpoints.get(projectId);
    if (cached !== undefined && cached.untilMs > now()) return cached.note;
    const note = readCheckpoint(logsInSlot, projectId);
    deleteExpired();
    setNewest(checkpoints, projectId, { note, untilMs: now() + CHECKPOINT_MS }, MAX_CHECKPOINTS);
    note.catch(() => checkpoints.delete(projectId)); // the caller gets the rejection
    return note;
  }

  /** A checkpoint with many cosignatures can have more than 50 KB. */
  function deleteExpired(): void {
    for (const [projectId, { untilMs }] of checkpoints) {
      if (untilMs > now()) return;
      checkpoints.delete(projectId);
    }
  }

  async function openTile(projectId: string, tile: Tile): Promise<Buffer | undefined> {
    const name = `${projectId}/${formatTilePath(tile)}`;
    const found = tiles.get(name) ?? (await readTile(logsInSlot, projectId, tile));
    if (found === undefined || tile.width < TILE_WIDTH) return found;
    setNewest(tiles, name, found, MAX_TILES);
    return found;
  }

  async function readPublic<Found>(
    { caller, signal }: PublicReader,
    projectId: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    for (let tries = 0; ; tries++) {
      try {
        if (!(await limitConcurrency(caller, () => isPublic(projectId), signal))) return undefined;
        return await limitReads({ group: projectId, caller }, read, signal);
      } catch (error) {
        if (!(error instanceof MissingNodesError) || tries === MORE_TRIES) throw error;
        await logs.completeNodes(projectId, error.size, signal);
      }
    }
  }

  return {
    readCheckpoint: (by, projectId) => readPublic(by, projectId, () => openCheckpoint(projectId)),
    readTile: (by, projectId, tile) => readPublic(by, projectId, () => openTile(projectId, tile)),
  };
}
