import { emptyRoot, equalBytes, isHash, nodeHash } from './tree-hash.js';

/** A tree as a log states it: the number of leaves, and the root over them. */
export interface TreeHead {
  size: number;
  root: Uint8Array;
}

/** A leaf, and the proof that a tree contains it. */
export interface Inclusion {
  leafIndex: number;
  leafHash: Uint8Array;
  path: readonly Uint8Array[];
}

/**
 * Whether the tree has the leaf at exactly this index (RFC 9162 §2.1.3.2). Returns false for a path or a hash of the
 * wrong length, and for a number that is not a valid index or size. Never throws.
 *
 * @example
 * const leaf = leafHash(`sha256:${'01'.repeat(32)}`);
 * verifyInclusion({ leafIndex: 0, leafHash: leaf, path: [] }, { size: 1, root: leaf }); // => true
 */
export function verifyInclusion(inclusion: Inclusion, { size, root }: TreeHead): boolean {
  const computed = inclusionRoot(inclusion, size);
  return computed !== undefined && isHash(root) && equalBytes(computed, root);
}

/** Returns undefined for malformed input. */
export function inclusionRoot(
  { leafIndex, leafHash, path }: Inclusion,
  size: number,
): Uint8Array | undefined {
  if (!isCount(leafIndex) || !isCount(size) || leafIndex >= size) return undefined;
  if (![leafHash, ...path].every(isHash)) return undefined;
  const walk = createWalk(leafIndex, size - 1);
  let hash = leafHash;
  for (const sibling of path) {
    if (walk.isDone()) return undefined;
    hash = walk.isRight() ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
    walk.climb();
  }
  return walk.isDone() ? hash : undefined;
}

/**
 * Whether the newer tree contains the older tree unchanged, with new leaves only at its end (RFC 9162 §2.1.4.2).
 * Every tree contains the tree without leaves. Returns false for malformed input; never throws.
 *
 * @example
 * const [older, added] = ['01', '02'].map((byte) => leafHash(`sha256:${byte.repeat(32)}`));
 * verifyConsistency({ size: 1, root: older }, { size: 2, root: nodeHash(older, added) }, [added]); // => true
 */
export function verifyConsistency(older: TreeHead, newer: TreeHead, path: readonly Uint8Array[]): boolean {
  if (!isCount(older.size) || !isCount(newer.size) || older.size > newer.size) return false;
  if (![older.root, newer.root, ...path].every(isHash)) return false;
  if (older.size === newer.size) return path.length === 0 && equalBytes(older.root, newer.root);
  if (older.size === 0) return path.length === 0 && equalBytes(older.root, emptyRoot());
  const walk = createWalk(older.size - 1, newer.size - 1);
  walk.skipRights();
  // If the size of the old tree is a power of two, it is the first subtree of the new tree.
  const [first, ...rest] = walk.isLeftmost() ? [older.root, ...path] : path;
  if (first === undefined) return false;
  let olderHash = first;
  let newerHash = first;
  for (const node of rest) {
    if (walk.isDone()) return false;
    if (walk.isRight()) {
      olderHash = nodeHash(node, olderHash);
      newerHash = nodeHash(node, newerHash);
    } else {
      newerHash = nodeHash(newerHash, node);
    }
    walk.climb();
  }
  return walk.isDone() && equalBytes(olderHash, older.root) && equalBytes(newerHash, newer.root);
}

/**
 * `fn` and `sn` (RFC 9162): the node's index, and the last index of its level. Shifts would truncate numbers of 2^31
 * and more.
 */
function createWalk(index: number, last: number) {
  let fn = index;
  let sn = last;
  const up = () => {
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  };
  return {
    isDone: () => sn === 0,
    isLeftmost: () => fn === 0,
    isRight: () => fn % 2 === 1 || fn === sn,
    skipRights() {
      while (fn % 2 === 1) up();
    },
    /** A last node without a sibling first moves up to a node with a left sibling. */
    climb() {
      if (fn === sn) while (fn % 2 === 0 && fn !== 0) up();
      up();
    },
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
