import { createHash } from 'node:crypto';
import { formatCheckpoint, headHash, nodeHash, proveInclusion, toBase64, treeRoot } from '@colophon/model';
import { v7 as uuidv7 } from 'uuid';
import { withLease } from '../platform/jobs/leader-loop.js';
import { openTree } from '../transparency-log/tree-reader.js';
import {
  type DueLog,
  insertAnchors,
  listDueActions,
  listDueLogs,
  type NewAnchor,
  type NewHead,
} from './anchors.sql.js';
import type { AnchoringDeps } from './deps.js';
import { listUnanchoredProjects } from './unanchored-projects.sql.js';

const MAX_HEADS = 1_000;
const createSha256 = () => createHash('sha256');

/** Stores an anchor over the heads of at most 1,000 logs that have grown. Returns false if no log has grown. */
export async function makeHeadsAnchor(deps: AnchoringDeps): Promise<boolean> {
  const due = await listDueLogs(deps.provenance, await listUnanchoredProjects(deps.control), MAX_HEADS);
  if (due.length === 0) return false;
  const heads = [];
  for (const log of due) heads.push(await readHead(deps, log));
  const hashes = heads.map(({ hash }) => hash);
  const tree = { size: hashes.length, readHashes: subtreesOver(hashes) };
  const root = await treeRoot(tree.size, tree.readHashes, createSha256);
  const placed: NewHead[] = [];
  for (const [place, { projectId, size, origin }] of heads.entries()) {
    const path = await proveInclusion({ leafIndex: place, size: tree.size }, tree.readHashes, createSha256);
    placed.push({ projectId, size, origin, place, path: path.map(toBase64) });
  }
  await store(deps, [
    { id: uuidv7(), rootHex: Buffer.from(root).toString('hex'), size: tree.size, heads: placed },
  ]);
  return true;
}

/** Stores new anchors of up to `room` single actions. */
export async function makeActionAnchors(deps: AnchoringDeps, room: number): Promise<void> {
  const { provenance, control } = deps;
  let left = room;
  for (const log of await listDueLogs(provenance, await listUnanchoredProjects(control), room)) {
    if (left <= 0) return;
    const { projectId, size, origin } = log;
    const actions = await listDueActions(provenance, log, left);
    const anchors = actions.map(({ leafIndex, digestHex }) => {
      const head = { projectId, size: leafIndex + 1, origin, place: null, path: null };
      return { id: uuidv7(), rootHex: digestHex, size: null, heads: [head] };
    });
    // There are fewer actions than `left`, so the rest of the log contains no actions and needs no anchor.
    await store(deps, anchors, actions.length < left ? [{ projectId, size }] : []);
    left -= actions.length;
  }
}

async function store(
  deps: AnchoringDeps,
  anchors: readonly NewAnchor[],
  passedOver: readonly { projectId: string; size: number }[] = [],
): Promise<void> {
  await withLease(deps, (tx) => insertAnchors(tx, { anchors, passedOver }, deps.registry));
}

async function readHead({ provenance }: AnchoringDeps, { projectId, size, origin }: DueLog) {
  const root = await (await openTree(provenance, projectId, size)).readRoot();
  return {
    projectId,
    size,
    origin,
    hash: headHash(formatCheckpoint({ origin, size, root }), createSha256),
  };
}

/** Computes the hashes of all complete subtrees in advance. */
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
