import { type CreateSha256, createNobleSha256 } from '../sha256.js';
import type { MapEntry } from './mentions.js';
import { emptyRoot, equalBytes } from './tree-hash.js';

/**
 * A step on the path from a leaf of the map to the root: a node. `bit` is the index of the bit by which this node
 * divides its keys. `hash` is the hash of the half that does not contain the leaf.
 */
export interface MapStep {
  bit: number;
  hash: Uint8Array;
}

/**
 * A map from contents and actions to their chains (`MentionChain`), as a binary tree. Each subtree is a `MapTree` too.
 */
export interface MapTree {
  hash: Uint8Array;
  /** Index of the entry in the input; undefined for a node. */
  place?: number;
  /**
   * The bit that divides the keys of a node, and the subtrees of the keys with 0 and with 1 in this bit. Undefined for
   * an entry.
   */
  divided?: { bit: number; halves: [MapTree, MapTree] };
}

/** The entry at the end of the walk to a key, and the steps from that entry to the root. */
export interface MapWalk {
  place: number;
  path: MapStep[];
}

/**
 * The first bytes of the hashed text of a node. The index is the bit that divides the keys. The hashes of the two
 * halves follow.
 */
const NODE_PREFIXES = Array.from({ length: 256 }, (_, bit) => Uint8Array.of(1, bit));

/**
 * Creates the map over entries that are sorted by key. Throws RangeError when a key occurs twice or is a prefix of
 * another key. Returns undefined when there are no entries. A node divides the keys below it by the first bit in which
 * they differ. Its hash is SHA-256(0x01 || bit || left || right). The bits of a key lead from the root to exactly one
 * leaf. So a root has at most one value for a key.
 *
 * An entry can also represent all keys with a common prefix. The key of this entry is the prefix, and its hash is the
 * root over these keys.
 *
 * @example
 * createMap([{ key: Uint8Array.of(7), hash: emptyRoot() }]); // => { hash: emptyRoot(), place: 0 }
 */
export function createMap(
  entries: readonly MapEntry[],
  createSha256: CreateSha256 = createNobleSha256,
): MapTree | undefined {
  return entries.length === 0 ? undefined : build({ entries, from: 0, to: entries.length }, createSha256);
}

/**
 * Returns the root of the map over these entries. `createMap` states the rules for the entries. Without entries,
 * returns `emptyRoot()`.
 *
 * @example
 * mapRoot([]); // => emptyRoot()
 */
export function mapRoot(entries: readonly MapEntry[], createSha256?: CreateSha256): Uint8Array {
  return createMap(entries, createSha256)?.hash ?? emptyRoot();
}

/**
 * Follows the bits of a key from the root, and returns the entry at the end. If the map contains the key, this is the
 * entry of the key. Otherwise it is the entry of another key.
 *
 * @example
 * walkMap(createMap([{ key: Uint8Array.of(7), hash: emptyRoot() }]), Uint8Array.of(8)); // => { place: 0, path: [] }
 */
export function walkMap(map: MapTree, key: Uint8Array): MapWalk {
  const path: MapStep[] = [];
  let below = map;
  while (below.divided !== undefined) {
    const { bit, halves } = below.divided;
    const [left, right] = halves;
    const isRight = bitOf(key, bit) === 1;
    path.unshift({ bit, hash: (isRight ? left : right).hash });
    below = isRight ? right : left;
  }
  return { place: below.place ?? 0, path };
}

/**
 * Whether the bits of `key` lead from the root to this leaf. Returns false for malformed steps; never throws.
 *
 * @example
 * verifyWalk({ key: Uint8Array.of(7), leaf: emptyRoot(), path: [] }, emptyRoot()); // => true
 */
export function verifyWalk(
  { key, leaf, path }: { key: Uint8Array; leaf: Uint8Array; path: readonly MapStep[] },
  root: Uint8Array,
): boolean {
  let hash = leaf;
  let below = key.length * 8;
  for (const { bit, hash: sibling } of path) {
    if (!Number.isInteger(bit) || bit < 0 || bit >= below) return false;
    hash = mapNodeHash(bit, bitOf(key, bit) === 1 ? [sibling, hash] : [hash, sibling]);
    below = bit;
  }
  return equalBytes(hash, root);
}

function mapNodeHash(
  bit: number,
  [left, right]: [Uint8Array, Uint8Array],
  createSha256: CreateSha256 = createNobleSha256,
): Uint8Array {
  const hash = createSha256();
  hash.update(NODE_PREFIXES[bit] ?? Uint8Array.of(1, bit));
  hash.update(left);
  hash.update(right);
  return hash.digest();
}

/** The entries from `from` (included) to `to` (excluded). A span has at least one entry. */
interface Span {
  entries: readonly MapEntry[];
  from: number;
  to: number;
}

function build(span: Span, createSha256: CreateSha256): MapTree {
  const { entries, from, to } = span;
  const first = keyAt(entries, from);
  if (to - from === 1) return { hash: entries[from]?.hash ?? emptyRoot(), place: from };
  // The keys are sorted, so the first and the last key differ in the earliest bit in which any keys differ.
  const bit = firstDifference(first, keyAt(entries, to - 1));
  const middle = firstWith(bit, span);
  const left = build({ entries, from, to: middle }, createSha256);
  const right = build({ entries, from: middle, to }, createSha256);
  return {
    hash: mapNodeHash(bit, [left.hash, right.hash], createSha256),
    divided: { bit, halves: [left, right] },
  };
}

function firstWith(bit: number, { entries, from, to }: Span): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (bitOf(keyAt(entries, middle), bit) === 1) high = middle;
    else low = middle + 1;
  }
  return low;
}

function keyAt(entries: readonly MapEntry[], place: number): Uint8Array {
  return entries[place]?.key ?? new Uint8Array();
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let byte = 0;
  while (byte < a.length && a[byte] === b[byte]) byte++;
  if (byte >= a.length || byte >= b.length)
    throw new RangeError(
      'A key occurs twice, or one key is a prefix of another; pass entries with unique keys of the same length',
    );
  return byte * 8 + Math.clz32((a[byte] ?? 0) ^ (b[byte] ?? 0)) - 24;
}

function bitOf(key: Uint8Array, bit: number): number {
  return ((key[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
}
