import { type LogEntry, leafHash, type Receipt, type RecordKind, toBase64 } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { signTree } from './checkpoint.js';
import type { TransparencyLogDeps } from './deps.js';
import { readLoggedRecord, readLogHead, readLogSize } from './log.sql.js';
import { createSha256, openTree } from './tree-reader.js';

/**
 * Returns a record of the project with the proof that its log holds it; undefined when there is no such record.
 * When an anchor covers the record, the proof is for the anchored tree. `revision` is the project's revision at the
 * time of the read.
 */
export async function readReceipt(
  deps: TransparencyLogDeps,
  projectId: string,
  named: { kind: RecordKind; id: string },
): Promise<{ receipt: Receipt; revision: number | undefined } | undefined> {
  const record = await readLoggedRecord(deps.provenance, projectId, named);
  if (record === undefined) return undefined;
  const { body, salts, leafIndex, size, origin } = record;
  const revision = record.revision ?? undefined;
  const digest = `sha256:${record.digest}`;
  const { head, anchor } = (await deps.readAnchoredLeaf(projectId, leafIndex)) ?? {};
  const log = await proveLeaf(deps, projectId, { leafIndex, digest, size, origin, ...head });
  const receipt = { version: 1, record: { kind: named.kind, digest, body, salts }, log } as const;
  return { receipt: anchor === undefined ? receipt : { ...receipt, anchor }, revision };
}

/** A leaf, by its index or by its record, and the size of the tree; the current size by default. */
export interface LeafRequest {
  leafIndex?: number | undefined;
  recordId?: string | undefined;
  size?: number | undefined;
}

/** Returns the inclusion proof of a leaf. */
export async function readInclusion(
  deps: TransparencyLogDeps,
  projectId: string,
  { leafIndex, recordId, size }: LeafRequest,
): Promise<LogEntry> {
  const { size: current, origin } = await readLogHead(deps.provenance, projectId);
  requireSize(size ?? current, current);
  const found = leafIndex ?? (await findLeaf(deps, projectId, recordId ?? ''));
  if (found === undefined)
    throw new ServiceError('NotFound', `There is no record ${recordId} in this project.`);
  if (found >= (size ?? current)) {
    throw new ServiceError('NotFound', `There is no leaf ${found} in a tree of ${size ?? current}.`);
  }
  return proveLeaf(deps, projectId, { leafIndex: found, size: size ?? current, origin });
}

/** Proves that the tree over the first `to` leaves, by default all, contains the tree over the first `from`. */
export async function readConsistency(
  deps: TransparencyLogDeps,
  projectId: string,
  sizes: { from: number; to?: number | undefined },
): Promise<{ from: number; to: number; consistencyPath: string[] }> {
  const current = await readLogSize(deps.provenance, projectId);
  const { from, to = current } = sizes;
  requireSize(to, current);
  if (from > to) throw new ServiceError('InvalidField', `from must not be larger than to, which is ${to}.`);
  const tree = await openTree(deps.provenance, projectId, to);
  const path = await tree.proveConsistency(from);
  return { from, to, consistencyPath: path.map(toBase64) };
}

/**
 * Proves that the leaf is in the tree over the first `size` leaves of the log named `origin`. `digest` is the
 * digest of the leaf's record, where it is known.
 */
export async function proveLeaf(
  deps: TransparencyLogDeps,
  projectId: string,
  { leafIndex, digest, size, origin }: { leafIndex: number; digest?: string; size: number; origin: string },
): Promise<LogEntry> {
  const tree = await openTree(deps.provenance, projectId, size);
  const checkpoint = await signTree(deps, origin, tree);
  const path = await tree.proveInclusion(leafIndex);
  const [hash = new Uint8Array()] =
    digest === undefined
      ? await tree.readHashes(0, { from: leafIndex, to: leafIndex + 1 })
      : [leafHash(digest, createSha256)];
  return {
    origin,
    leafIndex,
    leafHash: toBase64(hash),
    inclusionPath: path.map(toBase64),
    checkpoint,
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the leaf of the action, attribution or entity with this id, in this order. */
async function findLeaf(
  deps: TransparencyLogDeps,
  projectId: string,
  id: string,
): Promise<number | undefined> {
  const kinds: RecordKind[] = UUID.test(id) ? ['action', 'attribution', 'entity'] : ['entity'];
  for (const kind of kinds) {
    const record = await readLoggedRecord(deps.provenance, projectId, { kind, id });
    if (record !== undefined) return record.leafIndex;
  }
  return undefined;
}

function requireSize(size: number, current: number): void {
  if (size <= current) return;
  throw new ServiceError('InvalidField', `The log has ${current} leaves, not ${size}.`);
}
