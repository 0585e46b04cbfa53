import { emptyRoot, nodeHash } from '@colophon/model';

/** The complete subtrees of a tree, from the largest to the smallest (RFC 6962 §2.1). */
export interface LeafFrontier {
  size: number;
  hashes: readonly Uint8Array[];
}

export const EMPTY_FRONTIER: LeafFrontier = { size: 0, hashes: [] };

export function appendLeaf({ size, hashes }: LeafFrontier, leaf: Uint8Array): LeafFrontier {
  let [right, rest] = [leaf, [...hashes]];
  for (let subtrees = size; subtrees % 2 === 1; subtrees = (subtrees - 1) / 2) {
    right = nodeHash(rest.at(-1) ?? emptyRoot(), right);
    rest = rest.slice(0, -1);
  }
  return { size: size + 1, hashes: [...rest, right] };
}

/** The root of the tree over all appended leaves (RFC 9162 §2.1.1). */
export function frontierRoot({ hashes }: LeafFrontier): Uint8Array {
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
}
