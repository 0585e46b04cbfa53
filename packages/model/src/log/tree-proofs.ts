import type { CreateSha256 } from '../sha256.js';
import { emptyRoot, nodeHash } from './tree-hash.js';

/** A complete subtree: the leaves from index * 2^level (included) to (index + 1) * 2^level (excluded). */
export interface Subtree {
  level: number;
  index: number;
}

/**
 * Returns the hash of each of these complete subtrees, in the same order. A subtree of level 0 is one leaf. `treeRoot`,
 * `proveInclusion` and `proveConsistency` call the function at most once, and only for subtrees within the tree.
 */
export type ReadHashes = (subtrees: readonly Subtree[]) => Promise<readonly Uint8Array[]>;

/**
 * Returns the root of the tree over the first `size` leaves (RFC 9162 §2.1.1).
 *
 * @example
 * const leaves = ['01', '02', '03'].map((byte) => leafHash(`sha256:${byte.repeat(32)}`));
 * const root = await treeRoot(3, async (all) => all.map(({ level, index }) => level === 0 ? leaves[index] : nodeHash(leaves[0], leaves[1])));
 * root; // => nodeHash(nodeHash(leaves[0], leaves[1]), leaves[2])
 */
export async function treeRoot(
  size: number,
  readHashes: ReadHashes,
  createSha256?: CreateSha256,
): Promise<Uint8Array> {
  assertSize(size);
  if (size === 0) return emptyRoot();
  const [root] = await hashRanges([{ from: 0, to: size }], readHashes, createSha256);
  return root ?? emptyRoot();
}

/**
 * Returns the inclusion proof of a leaf in the tree over the first `size` leaves: the siblings on the path from the
 * leaf to the root (RFC 9162 §2.1.3.1). Throws RangeError when the tree does not contain the leaf.
 *
 * @example
 * const leaves = ['01', '02'].map((byte) => leafHash(`sha256:${byte.repeat(32)}`));
 * await proveInclusion({ leafIndex: 0, size: 2 }, async (all) => all.map(({ index }) => leaves[index])); // => [leaves[1]]
 */
export function proveInclusion(
  { leafIndex, size }: { leafIndex: number; size: number },
  readHashes: ReadHashes,
  createSha256?: CreateSha256,
): Promise<Uint8Array[]> {
  assertSize(size);
  if (!Number.isSafeInteger(leafIndex) || leafIndex < 0 || leafIndex >= size) {
    throw new RangeError(`There is no leaf ${leafIndex} in a tree of ${size}`);
  }
  const ranges: Range[] = [];
  for (let { from, to }: Range = { from: 0, to: size }; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    const isLeft = leafIndex < middle;
    ranges.push(isLeft ? { from: middle, to } : { from, to: middle });
    if (isLeft) to = middle;
    else from = middle;
  }
  return hashRanges(ranges.reverse(), readHashes, createSha256);
}

/**
 * Returns the consistency proof between the trees over the first `from` and the first `to` leaves (RFC 9162
 * §2.1.4.1). The proof is empty when `from` is 0 or equals `to`. Throws RangeError when `from` is larger than `to`.
 *
 * @example
 * const leaves = ['01', '02'].map((byte) => leafHash(`sha256:${byte.repeat(32)}`));
 * await proveConsistency({ from: 1, to: 2 }, async (all) => all.map(({ index }) => leaves[index])); // => [leaves[1]]
 */
export function proveConsistency(
  sizes: { from: number; to: number },
  readHashes: ReadHashes,
  createSha256?: CreateSha256,
): Promise<Uint8Array[]> {
  assertSize(sizes.from);
  assertSize(sizes.to);
  if (sizes.from > sizes.to)
    throw new RangeError(`Invalid sizes: from (${sizes.from}) is larger than to (${sizes.to})`);
  if (sizes.from === 0 || sizes.from === sizes.to) return Promise.resolve([]);
  const ranges: Range[] = [];
  let { from, to }: Range = { from: 0, to: sizes.to };
  while (to !== sizes.from) {
    const middle = from + splitOf(to - from);
    const isLeft = sizes.from <= middle;
    ranges.push(isLeft ? { from: middle, to } : { from, to: middle });
    if (isLeft) to = middle;
    else from = middle;
  }
  // If `from` is 0, the old tree is one complete subtree, and the verifier knows its hash.
  if (from > 0) ranges.push({ from, to });
  return hashRanges(ranges.reverse(), readHashes, createSha256);
}

/** One node of the tree covers exactly these leaves. `to` is excluded. */
interface Range {
  from: number;
  to: number;
}

async function hashRanges(
  ranges: readonly Range[],
  readHashes: ReadHashes,
  createSha256?: CreateSha256,
): Promise<Uint8Array[]> {
  const parts = ranges.map(subtreesOf);
  const asked = parts.flat();
  const hashes = asked.length === 0 ? [] : [...(await readHashes(asked))];
  if (hashes.length !== asked.length)
    throw new Error('The hash source returned another number of hashes than requested');
  return parts.map(({ length }) =>
    hashes.splice(0, length).reduceRight((right, left) => nodeHash(left, right, createSha256)),
  );
}

/** Largest first. */
function subtreesOf({ from, to }: Range): Subtree[] {
  const found: Subtree[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    while (2 ** (level + 1) <= to - start) level++;
    found.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return found;
}

/** The largest power of two below `size`; `size` is at least 2 (RFC 9162 §2.1.1). */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

function assertSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0)
    throw new RangeError('The tree size must be a whole number of at least 0');
}
