import { leafHash, nodeHash } from '../../../src/log/tree-hash.js';
import type { ReadHashes } from '../../../src/log/tree-proofs.js';

export function readHashesOf(leaves: readonly Uint8Array[]): ReadHashes {
  const hashOf = (level: number, index: number): Uint8Array =>
    level === 0
      ? (leaves[index] ?? new Uint8Array())
      : nodeHash(hashOf(level - 1, 2 * index), hashOf(level - 1, 2 * index + 1));
  return async (all) => all.map(({ level, index }) => hashOf(level, index));
}

export function makeLeaves(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, place) =>
    leafHash(`sha256:${place.toString(16).padStart(64, '0')}`),
  );
}
