import { TILE_WIDTH, verifyConsistency } from '@colophon/model';
import { readLogSize } from '../transparency-log/log.sql.js';
import { IncompleteLogError } from '../transparency-log/read-hashes.js';
import { countAt, rootOf } from '../transparency-log/tile-subtrees.js';
import { openTree, type TreeReader } from '../transparency-log/tree-reader.js';
import type { CheckCounts, IntegrityDeps, IntegrityFinding } from './deps.js';
import { readCheckedTree, saveCheckedTree } from './integrity.sql.js';

/** Maximum number of level-1 nodes per step. Each covers 256 leaves. */
const NODES = 8;

/** Checks the stored nodes from the lowest level up, then compares the tree with that of the last pass. */
export async function checkTree(
  deps: IntegrityDeps,
  projectId: string,
  part: { from: number; size: number },
): Promise<CheckCounts> {
  try {
    return await checkNodes(deps, projectId, part);
  } catch (error) {
    if (!(error instanceof IncompleteLogError)) throw error;
    const finding = { projectId, kind: 'tree', subject: 'root', problem: 'missing' } as const;
    return { count: 1, newer: 0, findings: [finding], after: undefined };
  }
}

async function checkNodes(
  deps: IntegrityDeps,
  projectId: string,
  { from, size }: { from: number; size: number },
): Promise<CheckCounts> {
  const tree = await openTree(deps.provenance, projectId, size);
  const to = Math.min(from + NODES, countAt(1, tree.size));
  const wrong = await findWrongNodes(deps, tree, { level: 1, from, to });
  const isLast = to === countAt(1, tree.size);
  for (let level = 2; isLast && countAt(level, tree.size) > 0; level++)
    wrong.push(...(await findWrongNodes(deps, tree, { level, from: 0, to: countAt(level, tree.size) })));
  const findings = wrong.map(
    (subject): IntegrityFinding => ({ projectId, kind: 'node', subject, problem: 'altered' }),
  );
  if (isLast && !(await growsFromLast(deps, tree)))
    findings.push({ projectId, kind: 'tree', subject: 'root', problem: 'altered' });
  return { count: to - from, newer: 0, findings, after: isLast ? undefined : String(to) };
}

async function findWrongNodes(
  { rest }: IntegrityDeps,
  tree: TreeReader,
  { level, from, to }: { level: number; from: number; to: number },
): Promise<string[]> {
  const kept = await tree.readHashes(level, { from, to });
  const wrong: string[] = [];
  for (const [place, hash] of kept.entries()) {
    const first = (from + place) * TILE_WIDTH;
    const below = await tree.readHashes(level - 1, { from: first, to: first + TILE_WIDTH });
    if (!Buffer.from(hash).equals(rootOf(below))) wrong.push(`${level}/${from + place}`);
    await rest();
  }
  return wrong;
}

/** If the last checked tree is a prefix of the present tree, saves the present tree. */
async function growsFromLast(
  { provenance }: Pick<IntegrityDeps, 'provenance'>,
  tree: TreeReader,
): Promise<boolean> {
  const { projectId } = tree;
  const last = await readCheckedTree(provenance, projectId);
  // A server of an earlier version can check the same log during this visit, and save a larger tree.
  if (last !== undefined && last.size > tree.size) return isStored(provenance, projectId, last);
  // Read the root first, so that a change during the comparison is never saved.
  const root = await tree.readRoot();
  if (last !== undefined) {
    const older = { size: last.size, root: Buffer.from(last.root, 'hex') };
    const path = await tree.proveConsistency(last.size);
    if (!verifyConsistency(older, { size: tree.size, root }, path)) return false;
  }
  await saveCheckedTree(provenance, projectId, { size: tree.size, root: Buffer.from(root).toString('hex') });
  return true;
}

/** Saves nothing: a visit saves only trees that it has checked. */
async function isStored(
  provenance: IntegrityDeps['provenance'],
  projectId: string,
  { size, root }: { size: number; root: string },
): Promise<boolean> {
  if ((await readLogSize(provenance, projectId)) < size) return false;
  const tree = await openTree(provenance, projectId, size);
  return Buffer.from(await tree.readRoot()).toString('hex') === root;
}
