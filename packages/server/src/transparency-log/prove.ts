import { type LogEntry, leafHash, type Receipt, type RecordKind, toBase64 } from '@colophon/model';
import { ServiceError } from '../errors.js';
import { signTree } from './checkpoint.js';
import { readCosignatures } from './cosignatures.sql.js';
import { createSha256 } from './create-sha256.js';
import type { TransparencyLogDeps } from './deps.js';
import { mayProve } from './former-name.js';
import { readLoggedRecord, readLogHead, readLogSize } from './log.sql.js';
import { openTreeInTurn } from './tree-reader.js';

/**
 * Returns a record with the proof that the log contains it. The proof is for the anchored tree with the record, if
 * there is one. Otherwise it is for the best cosigned tree, or else for the present tree.
 */
export async function readReceipt(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, ...named }: { kind: RecordKind; id: string; signal?: AbortSignal | undefined },
): Promise<{ receipt: Receipt; revision: number | undefined } | undefined> {
  const record = await readLoggedRecord(deps.provenance, projectId, {
    ...named,
    witnesses: deps.witnessKeys,
  });
  if (record === undefined) return undefined;
  const { body, salts, leafIndex, origin, cosignedSize } = record;
  const revision = record.revision ?? undefined;
  const digest = `sha256:${record.digest}`;
  const anchored = await deps.readAnchoredLeaf(projectId, leafIndex);
  const isProvable = await mayProve(deps, { projectId, present: origin }, anchored?.head);
  const { head, anchor } = (isProvable ? anchored : undefined) ?? {};
  const tree = { size: cosignedSize ?? record.size, origin, ...head };
  const proven = await proveLeaf(deps, projectId, { leafIndex, digest, ...tree, signal });
  const cosignatures =
    cosignedSize === null ? '' : await readCosignatures(deps.provenance, projectId, tree.size);
  const log = { ...proven, checkpoint: proven.checkpoint + cosignatures };
  const receipt = { version: 1, record: { kind: named.kind, digest, body, salts }, log } as const;
  return { receipt: anchor === undefined ? receipt : { ...receipt, anchor }, revision };
}

/** `size`: size of the tree (default: the present size). */
export interface LeafRequest {
  leafIndex?: number | undefined;
  recordId?: string | undefined;
  size?: number | undefined;
  signal?: AbortSignal | undefined;
}

export async function readInclusion(
  deps: TransparencyLogDeps,
  projectId: string,
  { leafIndex, recordId, size, signal }: LeafRequest,
): Promise<LogEntry> {
  const { size: current, origin } = await readLogHead(deps.provenance, projectId);
  requireSize(size ?? current, current);
  const found = leafIndex ?? (await findLeaf(deps, projectId, recordId ?? ''));
  if (found === undefined)
    throw new ServiceError('NotFound', `There is no record ${recordId} in this project.`);
  if (found >= (size ?? current)) {
    throw new ServiceError('NotFound', `There is no leaf ${found} in a tree of ${size ?? current} leaves.`);
  }
  return proveLeaf(deps, projectId, { leafIndex: found, size: size ?? current, origin, signal });
}

/** Proves that the tree of the first `from` leaves is a prefix of the tree of `to` leaves (default: all leaves). */
export async function readConsistency(
  deps: TransparencyLogDeps,
  projectId: string,
  { signal, ...sizes }: { from: number; to?: number | undefined; signal?: AbortSignal | undefined },
): Promise<{ from: number; to: number; consistencyPath: string[] }> {
  const current = await readLogSize(deps.provenance, projectId);
  const { from, to = current } = sizes;
  requireSize(to, current);
  if (from > to)
    throw new ServiceError('InvalidField', `\`from\` must not be larger than \`to\`, which is ${to}.`);
  const tree = await openTreeInTurn(deps, projectId, { size: to, signal });
  const path = await tree.proveConsistency(from);
  return { from, to, consistencyPath: path.map(toBase64) };
}

interface ProvenLeaf {
  leafIndex: number;
  digest?: string;
  size: number;
  origin: string;
  signal?: AbortSignal | undefined;
}

/** Proves that the tree over the first `size` leaves contains the leaf. A supplied `digest` saves a database read. */
export async function proveLeaf(
  deps: TransparencyLogDeps,
  projectId: string,
  { leafIndex, digest, size, origin, signal }: ProvenLeaf,
): Promise<LogEntry> {
  const tree = await openTreeInTurn(deps, projectId, { size, signal });
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

/** If records of several kinds have this id, an action comes first, then an attribution, then an entity. */
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
