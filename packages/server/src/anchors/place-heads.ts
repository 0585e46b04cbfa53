import { createHash } from 'node:crypto';
import { formatCheckpoint, headHash, nodeHash, proveInclusion, toBase64, treeRoot } from '@colophon/model';
import type { Queryable } from '../platform/db/database.js';
import { openTree } from '../transparency-log/tree-reader.js';

const createSha256 = () => createHash('sha256');

export interface LogState {
  projectId: string;
  size: number;
  origin: string;
}

/** `place`: the index of the checkpoint's hash in the tree of a root. `path`: its inclusion proof, in base64. */
export type PlacedHead = LogState & { place: number; path: string[] };

/** Computes one root over the heads of these logs. `logs` must not be empty. */
export async function placeHeads(
  db: Queryable,
  logs: readonly LogState[],
): Promise<{ root: Uint8Array; heads: PlacedHead[] }> {
  const hashes: Uint8Array[] = [];
  for (const log of logs) hashes.push(await readHead(db, log));
  const readHashes = subtreesOver(hashes);
  const root = await treeRoot(hashes.length, readHashes, createSha256);
  const heads: PlacedHead[] = [];
  for (const [place, { projectId, size, origin }] of logs.entries()) {
    const path = await proveInclusion({ leafIndex: place, size: hashes.length }, readHashes, createSha256);
    heads.push({ projectId, size, origin, place, path: path.map(toBase64) });
  }
  return { root, heads };
}

async function readHead(db: Queryable, { projectId, size, origin }: LogState): Promise<Uint8Array> {
  const root = await (await openTree(db, projectId, size)).readRoot();
  return headHash(formatCheckpoint({ origin, size, root }), createSha256);
}

/** Computes the hashes of all complete subtrees. */
function subtreesOver(hashes: readonly Uint8Array[]) {
  const levels: Uint8Array[][] = [[...hashes]];
  for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
    levels.push(
      Array.from({ length: Math.floor(below.length / 2) }, (_, pair) =>
        nodeHash(...(below.slice(2 * pair, 2 * pair + 2) as [Uint8Array, Uint8Array]), createSha256),
      ),
    );
  }
  return async (asked: readonly { level: number; index: number }[]) =>
    asked.map(({ level, index }) => levels[level]?.[index] ?? new Uint8Array());
}
