import { nodeHash, type ReadHashes, type Subtree, TILE_HEIGHT, TILE_WIDTH } from '@colophon/model';
import { createSha256 } from './create-sha256.js';

/**
 * Returns a function that computes the hashes of complete subtrees from tiles (C2SP tlog-tiles). `readTile` returns the
 * hashes of a tile. Reads each tile once and caches each subtree, since proofs of neighbouring leaves share most of
 * them.
 */
export function createSubtreeReader(
  readTile: (level: number, index: number) => Promise<readonly Uint8Array[]>,
): ReadHashes {
  const tiles = new Map<string, Promise<readonly Uint8Array[]>>();
  const subtrees = new Map<string, Promise<Uint8Array>>();

  function readOnce(level: number, index: number): Promise<readonly Uint8Array[]> {
    const name = `${level}/${index}`;
    const hashes = tiles.get(name) ?? readTile(level, index);
    tiles.set(name, hashes);
    return hashes;
  }

  async function hashSubtree({ level, index }: Subtree): Promise<Uint8Array> {
    const width = 2 ** (level % TILE_HEIGHT);
    const first = index * width;
    const tile = await readOnce(Math.floor(level / TILE_HEIGHT), Math.floor(first / TILE_WIDTH));
    return rootOf(tile.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + width));
  }

  return (asked) =>
    Promise.all(
      asked.map((subtree) => {
        const name = `${subtree.level}/${subtree.index}`;
        const hash = subtrees.get(name) ?? hashSubtree(subtree);
        subtrees.set(name, hash);
        return hash;
      }),
    );
}

/** Length of a hash in a tile. */
export const HASH_BYTES = 32;

/** Splits the bytes of a tile into its hashes. Hashes behind the end of the bytes are shorter, so they never verify. */
export function splitTile(bytes: Uint8Array, width: number): Uint8Array[] {
  return Array.from({ length: width }, (_, place) =>
    bytes.slice(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );
}

/** Number of complete hashes of a tile level in a tree of `size` leaves. */
export function countAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The number of hashes must be a power of two. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, pair) => {
      const [left, right] = level.slice(2 * pair, 2 * pair + 2);
      return nodeHash(left ?? new Uint8Array(), right ?? new Uint8Array(), createSha256);
    });
  }
  const [root] = level;
  if (root === undefined) throw new Error('A subtree of the log has no hashes');
  return root;
}
