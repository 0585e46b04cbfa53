import { leafHash, proveConsistency, proveInclusion, TILE_WIDTH, treeRoot } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { createSha256 } from './create-sha256.js';
import { countNodes, keepNodes, readDigestsHex, readNodesHex, type Span } from './log.sql.js';
import { countAt, createSubtreeReader, rootOf } from './tile-subtrees.js';

export interface TreeReader {
  readonly projectId: string;
  readonly size: number;
  readRoot(): Promise<Uint8Array>;
  proveInclusion(leafIndex: number): Promise<Uint8Array[]>;
  /** Proves that the tree over the first `from` leaves is a prefix of this tree. */
  proveConsistency(from: number): Promise<Uint8Array[]>;
  /** Reads hashes of a tile level. Level n has one hash for each 256^n leaves. */
  readHashes(level: number, span: Span): Promise<Uint8Array[]>;
}

export class IncompleteLogError extends Error {
  constructor(projectId: string, level: number) {
    super(`The log of ${projectId} lacks hashes of level ${level}`);
    this.name = 'IncompleteLogError';
  }
}

/** Tiles to compute in one step, about 2,000 hashes. Between steps the thread serves other requests. */
const TILES_AT_ONCE = 4;
const DIGEST_HEX_DIGITS = 64;

/**
 * Opens the tree over the first `size` leaves; the log must have as many. Computes and stores the nodes of complete
 * tiles that are not stored yet. Caches each tile and each subtree hash.
 */
export async function openTree(db: Queryable, projectId: string, size: number): Promise<TreeReader> {
  const readSubtrees = createSubtreeReader((level, index) => {
    const from = index * TILE_WIDTH;
    const to = Math.min(from + TILE_WIDTH, countAt(level, size));
    return readHashes(db, projectId, { level, from, to });
  });
  await keepCompleteNodes(db, projectId, size);
  return {
    projectId,
    size,
    readRoot: () => treeRoot(size, readSubtrees, createSha256),
    proveInclusion: (leafIndex) => proveInclusion({ leafIndex, size }, readSubtrees, createSha256),
    proveConsistency: (from) => proveConsistency({ from, to: size }, readSubtrees, createSha256),
    readHashes: (level, span) => readHashes(db, projectId, { level, ...span }),
  };
}

async function readHashes(
  db: Queryable,
  projectId: string,
  { level, from, to }: Span & { level: number },
): Promise<Uint8Array[]> {
  const digits =
    level === 0
      ? await readDigestsHex(db, projectId, { from, to })
      : await readNodesHex(db, projectId, { level, from, to });
  const found = digits.match(new RegExp(`.{${DIGEST_HEX_DIGITS}}`, 'g')) ?? [];
  if (found.length !== to - from) throw new IncompleteLogError(projectId, level);
  return level === 0
    ? found.map((hex) => leafHash(`sha256:${hex}`, createSha256))
    : found.map((hex) => Buffer.from(hex, 'hex'));
}

async function keepCompleteNodes(db: Queryable, projectId: string, size: number): Promise<void> {
  let levels = 0;
  while (countAt(levels + 1, size) > 0) levels++;
  const kept = levels === 0 ? [] : await countNodes(db, projectId, levels);
  for (let level = 1; level <= levels; level++) {
    const complete = countAt(level, size);
    for (let from = kept[level - 1] ?? 0; from < complete; from += TILES_AT_ONCE) {
      const to = Math.min(from + TILES_AT_ONCE, complete);
      const below = { level: level - 1, from: from * TILE_WIDTH, to: to * TILE_WIDTH };
      const hashes = await readHashes(db, projectId, below);
      const roots = Array.from({ length: to - from }, (_, place) =>
        rootOf(hashes.slice(place * TILE_WIDTH, (place + 1) * TILE_WIDTH)),
      );
      await keepNodes(db, projectId, { level, from, hashes: roots });
    }
  }
}
