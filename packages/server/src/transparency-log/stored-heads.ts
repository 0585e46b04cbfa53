import { createHash } from 'node:crypto';
import { parseCheckpoint, type SignedCheckpoint } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { listLogs, listProjectsOfLogs, readLogSize, readOrigin } from './log.sql.js';
import { openTree } from './tree-reader.js';

/** A store of small documents that may change. A `BlobStore` has these methods. */
export interface DocumentStore {
  readDocument(name: string): Promise<Buffer | undefined>;
  writeDocument(name: string, bytes: Uint8Array): Promise<void>;
}

export interface LogName {
  projectId: string;
  origin: string;
}

export interface Tree {
  size: number;
  root: Uint8Array;
}

interface StoredHeadDeps {
  store: DocumentStore;
  provenance: Queryable;
}

/** A log that does not continue its stored checkpoint. `size`: number of its leaves in the database. */
export interface Fork extends LogName {
  size: number;
  /** Number of leaves in the stored checkpoint. `damaged` if the document is not a checkpoint. */
  signed: number | 'damaged';
}

/** The name depends on the origin, so several services may share the store. */
export function nameOf({ origin }: Pick<LogName, 'origin'>): string {
  return `log-head-${toHex(origin)}`;
}

const toHex = (text: string) => createHash('sha256').update(text).digest('hex');

/** Throws `Unavailable` for a document that is no checkpoint. */
export async function readStored(store: DocumentStore, log: LogName): Promise<SignedCheckpoint | undefined> {
  const stored = await parseStored(store, log);
  if (stored === 'damaged') throw toDamaged(log);
  return stored;
}

export function toDamaged(log: LogName): ServiceError {
  return new ServiceError('Unavailable', `The document ${nameOf(log)} in the store for bytes is damaged.`, {
    recovery: `Have the operator restore it, or run \`colophon log accept-loss ${log.projectId}\`.`,
  });
}

export async function parseStored(
  store: DocumentStore,
  log: LogName,
): Promise<SignedCheckpoint | 'damaged' | undefined> {
  const bytes = await store.readDocument(nameOf(log));
  return bytes && (parseCheckpoint(bytes.toString()) ?? 'damaged');
}

/** Whether the log in the database continues this tree: its first `size` leaves have the same root. */
export async function isPrefix(
  provenance: Queryable,
  projectId: string,
  { size, root }: Tree,
): Promise<boolean> {
  if ((await readLogSize(provenance, projectId)) < size) return false;
  const tree = await openTree(provenance, projectId, size);
  return Buffer.from(root).equals(await tree.readRoot());
}

/** Returns undefined if the log continues its stored checkpoint, or if no checkpoint is stored. */
export async function findFork(
  { store, provenance }: StoredHeadDeps,
  log: LogName,
): Promise<Fork | undefined> {
  const stored = await parseStored(store, log);
  if (stored === undefined) return undefined;
  if (stored !== 'damaged' && (await isPrefix(provenance, log.projectId, stored))) return undefined;
  const size = await readLogSize(provenance, log.projectId);
  return { ...log, size, signed: stored === 'damaged' ? stored : stored.size };
}

const LOGS_PER_STATEMENT = 500;
const COMPARED_AT_ONCE = 8;

/**
 * Compares each log with its stored checkpoint. Also looks for checkpoints of the projects of `control` whose log has
 * no leaves: such a log lost its leaves.
 */
export async function findForks({
  control,
  ...deps
}: StoredHeadDeps & { control: Queryable }): Promise<{ logs: number; forks: Fork[] }> {
  const forks: Fork[] = [];
  const listed = new Set<string>();
  const compare = async (some: readonly LogName[]) => {
    const found = await mapSome(some, (log) => findFork(deps, log));
    forks.push(...found.filter((fork) => fork !== undefined));
  };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await listLogs(deps.provenance, { after, limit: LOGS_PER_STATEMENT });
    for (const { projectId } of page) listed.add(projectId);
    await compare(page);
    after = page.length < LOGS_PER_STATEMENT ? undefined : page.at(-1)?.projectId;
  }
  const unlisted = forks.length;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await listProjectsOfLogs(control, { after, limit: LOGS_PER_STATEMENT });
    const others = page.filter((projectId) => !listed.has(projectId));
    const origins = await mapSome(others, (projectId) => readOrigin(deps.provenance, projectId));
    await compare(
      others.flatMap((projectId, place) => {
        const origin = origins[place];
        return origin ? [{ projectId, origin }] : [];
      }),
    );
    after = page.length < LOGS_PER_STATEMENT ? undefined : page.at(-1);
  }
  return { logs: listed.size + forks.length - unlisted, forks };
}

async function mapSome<One, Result>(
  all: readonly One[],
  run: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += COMPARED_AT_ONCE)
    results.push(...(await Promise.all(all.slice(from, from + COMPARED_AT_ONCE).map(run))));
  return results;
}

const USED = 'log-heads-of-';

/**
 * Marks the store as used by this service. Returns false if this is another store than before, or if it was emptied:
 * the service then cannot compare its logs with earlier checkpoints. `before`: the name of the service at its earlier
 * start; null at the first start. Earlier versions did not mark the store, so a checkpoint in the store also gives
 * true.
 */
export async function noteUse(
  { store, provenance }: StoredHeadDeps,
  { service, before }: { service: string; before: string | null },
): Promise<boolean> {
  const isNoted = before === null || (await store.readDocument(USED + toHex(before))) !== undefined;
  const wasUsed = isNoted || (await hasCheckpoints({ store, provenance }));
  if (!isNoted || before !== service)
    await store.writeDocument(USED + toHex(service), Buffer.from(`${service}\n`));
  return wasUsed;
}

const LOOKED_AT = 50;

async function hasCheckpoints({ store, provenance }: StoredHeadDeps): Promise<boolean> {
  const logs = await listLogs(provenance, { after: '', limit: LOOKED_AT });
  const found = await Promise.all(logs.map((log) => store.readDocument(nameOf(log))));
  return found.some((document) => document !== undefined);
}
