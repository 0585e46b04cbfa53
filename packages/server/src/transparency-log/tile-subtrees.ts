import { nodeHash, type ReadHashes, type Subtree, TILE_HEIGHT, TILE_WIDTH } from '@colophon/model';
import { createSha256 } from './create-sha256.js';

/**
 * The first list has the hashes of a tile. The next lists have the hashes of the complete subtrees over 2 of these
 * hashes, over 4 of them, and so on.
 */
type TileLevels = readonly (readonly Uint8Array[])[];

/**
 * Returns a function that computes the hashes of complete subtrees from tiles (C2SP tlog-tiles). It reads each tile
 * once.
 */
export function createSubtreeReader(
  readTile: (level: number, index: number) => Promise<readonly Uint8Array[]>,
): ReadHashes {
  const reading = new Map<string, Promise<void>>();
  /** The tiles of each level, by their index in the level. */
  const tiles: Map<number, TileLevels>[] = [];

  function readOnce(subtree: Subtree): Promise<void> {
    const [level, index] = [levelOf(subtree), indexOf(subtree)];
    const name = `${level}/${index}`;
    const keep = async () => {
      const levels = toLevels(await readTile(level, index));
      const ofLevel = tiles[level] ?? new Map<number, TileLevels>();
      tiles[level] = ofLevel.set(index, levels);
    };
    const done = reading.get(name) ?? keep();
    reading.set(name, done);
    return done;
  }

  const findTile = (subtree: Subtree) => tiles[levelOf(subtree)]?.get(indexOf(subtree));

  return async (asked) => {
    const missing = asked.filter((subtree) => findTile(subtree) === undefined);
    await Promise.all(missing.map(readOnce));
    return asked.map((subtree) => hashIn(findTile(subtree), subtree));
  };
}

function levelOf({ level }: Subtree): number {
  return Math.floor(level / TILE_HEIGHT);
}

function indexOf({ level, index }: Subtree): number {
  return Math.floor((index * 2 ** (level % TILE_HEIGHT)) / TILE_WIDTH);
}

function toLevels(hashes: readonly Uint8Array[]): TileLevels {
  const levels = [hashes];
  for (let below = hashes; below.length > 1; ) {
    below = pairUp(below);
    levels.push(below);
  }
  return levels;
}

function hashIn(tile: TileLevels | undefined, { level, index }: Subtree): Uint8Array {
  const height = level % TILE_HEIGHT;
  const hash = tile?.[height]?.[index % (TILE_WIDTH / 2 ** height)];
  if (hash === undefined) throw new Error('A subtree of the log has no hashes');
  return hash;
}

export const HASH_BYTES = 32;

/** If there are too few bytes, the last hashes are too short and never verify. */
export function splitTile(bytes: Uint8Array, width: number): Uint8Array[] {
  return Array.from({ length: width }, (_, place) =>
    bytes.slice(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );
}

/** Returns the number of complete hashes of a tile level in a tree of `size` leaves. */
export function countAt(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** The number of hashes must be a power of two. */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [root] = toLevels(hashes).at(-1) ?? [];
  if (root === undefined) throw new Error('A subtree of the log has no hashes');
  return root;
}

function pairUp(hashes: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.floor(hashes.length / 2) }, (_, pair) =>
    nodeHash(hashes[2 * pair] ?? new Uint8Array(), hashes[2 * pair + 1] ?? new Uint8Array(), createSha256),
  );
}
