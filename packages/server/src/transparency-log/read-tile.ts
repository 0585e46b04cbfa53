import { TILE_WIDTH, type Tile } from '@colophon/model';
import type { TransparencyLogDeps } from './deps.js';
import { readDigestsHex, readLogSize } from './log.sql.js';
import { countAt } from './tile-subtrees.js';
import { openTreeInTurn } from './tree-reader.js';

/** The 16-bit length before each entry, which is a digest of 32 bytes (C2SP tlog-tiles, "Log Entries"). */
const ENTRY_LENGTH = Buffer.of(0, 32);

/** Returns a tile, or an entry bundle with the digests of leaves; undefined when the log is too small. */
export async function readTile(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, ...tile }: Tile & { signal?: AbortSignal | undefined },
): Promise<Buffer | undefined> {
  const { provenance } = deps;
  const size = await readLogSize(provenance, projectId);
  const from = tile.index * TILE_WIDTH;
  const to = from + tile.width;
  if (to > countAt(tile.level === 'entries' ? 0 : tile.level, size)) return undefined;
  if (tile.level === 'entries') {
    const digests = (await readDigestsHex(provenance, projectId, { from, to })).match(/.{64}/g) ?? [];
    return Buffer.concat(digests.flatMap((hex) => [ENTRY_LENGTH, Buffer.from(hex, 'hex')]));
  }
  const tree = await openTreeInTurn(deps, projectId, { size, signal });
  return Buffer.concat(await tree.readHashes(tile.level, { from, to }));
}
