import { formatTilePath, proveConsistency, TILE_WIDTH, type Tile, toBase64 } from '@colophon/model';
import { readBounded } from '../../platform/net/read-bounded.js';
import { createSha256 } from '../../transparency-log/create-sha256.js';
import { countAt, createSubtreeReader, HASH_BYTES, splitTile } from '../../transparency-log/tile-subtrees.js';
import { AbsentTileError, type WatchedLog } from './check-log.js';

/** A signed note has at most 100 signature lines. A line of a witness with ML-DSA-44 has at most 3.5 KB. */
export const MAX_NOTE_BYTES = 524_288;

const TIMEOUT_MS = 30_000;

/** Reads C2SP tlog-tiles, of a public log of this service (`/log/<id>`) or of other software, without an API key. */
export function openTileLog(address: string): WatchedLog {
  const prefix = address.replace(/\/+$/, '');
  const get = async (path: string, otherPath?: string): Promise<Buffer> => {
    const url = `${prefix}/${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.ok) return readBounded(answer.body, MAX_NOTE_BYTES);
    await answer.body?.cancel();
    if (answer.status === 404 && otherPath !== undefined) return get(otherPath);
    if (answer.status === 404 && path.startsWith('tile/')) throw new AbsentTileError(`${url} returned 404.`);
    throw new Error(`${url} returned ${answer.status}. Check the address, and that the log is public.`);
  };
  const readTile = async (tile: Tile) => {
    // A log may delete a partial tile when the full tile exists (C2SP tlog-tiles, "Partial Tiles").
    const full = `tile/${formatTilePath({ ...tile, width: TILE_WIDTH })}`;
    const bytes = await get(`tile/${formatTilePath(tile)}`, tile.width < TILE_WIDTH ? full : undefined);
    return bytes.subarray(0, tile.width * HASH_BYTES);
  };
  return {
    checkpoint: async () => (await get('checkpoint')).toString(),
    tile: readTile,
    async consistency({ from, to }) {
      const readSubtrees = createSubtreeReader(async (level, index) => {
        const width = Math.min(TILE_WIDTH, countAt(level, to) - index * TILE_WIDTH);
        return splitTile(await readTile({ level, index, width }), width);
      });
      const path = await proveConsistency({ from, to }, readSubtrees, createSha256);
      return { consistencyPath: path.map(toBase64) };
    },
  };
}
