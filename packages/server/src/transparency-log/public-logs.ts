import { formatTilePath, TILE_WIDTH, type Tile } from '@colophon/model';
import type { FairLimit, GroupedLimit } from '../platform/work/limit-concurrency.js';
import { readCheckpoint } from './checkpoint.js';
import type { TransparencyLogDeps } from './deps.js';
import { readTile } from './read-tile.js';

/**
 * The logs that everybody may read. Both methods resolve to undefined if the log is private. `readTile` does so too if
 * the tile does not exist.
 */
export interface PublicLogs {
  /**
   * `caller`: IP address or network of the reader. The fair queue serves the callers in turn. `projectId` must be a
   * UUID.
   */
  readCheckpoint(caller: string, projectId: string): Promise<string | undefined>;
  readTile(caller: string, projectId: string, tile: Tile): Promise<Buffer | undefined>;
}

export interface PublicLogDeps {
  logs: TransparencyLogDeps;
  isPublic: (projectId: string) => Promise<boolean>;
  /** Limits the look-ups of `isPublic`. A caller can name any project, so the callers take turns. */
  limitConcurrency: FairLimit;
  /** Limits the reads of public logs: the logs take turns, and the callers of each log. */
  limitReads: GroupedLimit;
  now?: () => number;
}

/** Maximum age of a cached checkpoint. */
export const CHECKPOINT_MS = 1_000;
const MAX_CHECKPOINTS = 1_000;
/** Full tiles have 8 KiB. */
const MAX_TILES = 512;

/** Opens the public logs. Caches a checkpoint for a second, and the full tiles that readers used last. */
export function createPublicLogs({
  logs,
  isPublic,
  limitConcurrency,
  limitReads,
  now = () => performance.now(),
}: PublicLogDeps): PublicLogs {
  const checkpoints = new Map<string, { note: Promise<string>; untilMs: number }>();
  const tiles = new Map<string, Buffer>();

  function openCheckpoint(projectId: string): Promise<string> {
    const cached = checkpoints.get(projectId);
    if (cached !== undefined && cached.untilMs > now()) return cached.note;
    const note = readCheckpoint(logs, projectId);
    if (checkpoints.size >= MAX_CHECKPOINTS) checkpoints.clear();
    checkpoints.set(projectId, { note, untilMs: now() + CHECKPOINT_MS });
    note.catch(() => checkpoints.delete(projectId)); // the caller gets the rejection
    return note;
  }

  async function openTile(projectId: string, tile: Tile): Promise<Buffer | undefined> {
    const name = `${projectId}/${formatTilePath(tile)}`;
    const found = tiles.get(name) ?? (await readTile(logs, projectId, tile));
    if (found === undefined || tile.width < TILE_WIDTH) return found;
    tiles.delete(name); // the next line adds it as the newest entry
    tiles.set(name, found);
    for (const oldest of tiles.keys()) {
      if (tiles.size <= MAX_TILES) break;
      tiles.delete(oldest);
    }
    return found;
  }

  const ifPublic = async <Found>(
    caller: string,
    projectId: string,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    if (!(await limitConcurrency(caller, () => isPublic(projectId)))) return undefined;
    return limitReads({ group: projectId, caller }, read);
  };
  return {
    readCheckpoint: (caller, projectId) => ifPublic(caller, projectId, () => openCheckpoint(projectId)),
    readTile: (caller, projectId, tile) => ifPublic(caller, projectId, () => openTile(projectId, tile)),
  };
}
