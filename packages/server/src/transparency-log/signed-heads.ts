import { parseCheckpoint, type SignedCheckpoint } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { readLogSize } from './log.sql.js';
import { openTree } from './tree-reader.js';

/** A store of small documents that may change. A `BlobStore` is one. */
interface DocumentStore {
  readDocument(name: string): Promise<Buffer | undefined>;
  writeDocument(name: string, bytes: Uint8Array): Promise<void>;
  removeDocument(name: string): Promise<void>;
}

/**
 * The newest signed checkpoint of each log, stored beside the bytes and not in the database. A database that was
 * restored from an older copy would otherwise sign other leaves at places that were signed before (a fork).
 */
export interface SignedHeads {
  /** Throws `Unavailable` when the log lacks leaves that were signed before, or has others instead of them. */
  assertContinues(projectId: string, size: number): Promise<void>;
  /** Stores a signed checkpoint within some seconds, if it is the largest one of its log. */
  keep(projectId: string, note: string): void;
  close(): Promise<void>;
}

interface SignedHeadDeps {
  store: DocumentStore;
  provenance: Queryable;
  reportFailure: (error: unknown) => void;
  /** Delay between a signature and its storage, so that a busy log writes once. */
  delayMs?: number;
}

const DELAY_MS = 5_000;
const RETRY_MS = 10_000;
/** Maximum number of logs in memory. The head of another log is read again. */
const MAX_LOGS = 10_000;

export function openSignedHeads({
  store,
  provenance,
  reportFailure,
  delayMs = DELAY_MS,
}: SignedHeadDeps): SignedHeads {
  /** Sizes of the largest signed trees, in the order of first use. */
  const sizes = new Map<string, Promise<number>>();
  const unstored = new Map<string, SignedCheckpoint & { text: string }>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  async function readSize(projectId: string): Promise<number> {
    const stored = await readHead(store, projectId);
    if (stored === undefined) return 0;
    if (!(await isPrefix(provenance, projectId, stored))) throw toFork(projectId, stored.size);
    return stored.size;
  }

  function sizeOf(projectId: string): Promise<number> {
    const known = sizes.get(projectId);
    if (known !== undefined) return known;
    const reading = readSize(projectId);
    setSize(projectId, reading);
    reading.catch(() => sizes.delete(projectId));
    return reading;
  }

  function setSize(projectId: string, size: Promise<number>): void {
    sizes.set(projectId, size);
    const [oldest] = sizes.keys();
    if (sizes.size > MAX_LOGS && oldest !== undefined && !unstored.has(oldest)) sizes.delete(oldest);
  }

  async function storeAll(): Promise<void> {
    for (const [projectId, head] of [...unstored]) {
      // Another node may have stored a larger tree.
      const stored = await readHead(store, projectId);
      if (stored === undefined || stored.size < head.size)
        await store.writeDocument(nameOf(projectId), Buffer.from(head.text));
      if (unstored.get(projectId) === head) unstored.delete(projectId);
    }
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      storing = storeAll().catch((error: unknown) => {
        reportFailure(error);
        schedule(RETRY_MS);
      });
    }, ms).unref();
  }

  return {
    async assertContinues(projectId, size) {
      const signed = await sizeOf(projectId);
      // A proof may need a smaller tree than the present one.
      if (size < signed && (await readLogSize(provenance, projectId)) < signed)
        throw toFork(projectId, signed);
    },
    keep(projectId, note) {
      const head = parseCheckpoint(note);
      const size = head?.size ?? 0;
      const before = sizes.get(projectId);
      setSize(
        projectId,
        before === undefined ? Promise.resolve(size) : before.then((own) => Math.max(own, size)),
      );
      if (head === undefined || size <= (unstored.get(projectId)?.size ?? 0)) return;
      unstored.set(projectId, { ...head, text: note });
      schedule(delayMs);
    },
    async close() {
      clearTimeout(timer);
      await storing;
      await storeAll().catch(reportFailure);
    },
  };
}

/** The stored checkpoint of a log when the database does not continue it; undefined otherwise. */
export async function findFork(
  { store, provenance }: Pick<SignedHeadDeps, 'store' | 'provenance'>,
  projectId: string,
): Promise<SignedCheckpoint | undefined> {
  const stored = await readHead(store, projectId);
  return stored === undefined || (await isPrefix(provenance, projectId, stored)) ? undefined : stored;
}

/** Forgets the stored checkpoint of a log, so that the service signs its present leaves. */
export async function forgetSignedHead(store: DocumentStore, projectId: string): Promise<void> {
  await store.removeDocument(nameOf(projectId));
}

async function readHead(store: DocumentStore, projectId: string): Promise<SignedCheckpoint | undefined> {
  const bytes = await store.readDocument(nameOf(projectId));
  return bytes && parseCheckpoint(bytes.toString());
}

const nameOf = (projectId: string) => `log-head-${projectId}`;

async function isPrefix(
  provenance: Queryable,
  projectId: string,
  { size, root }: SignedCheckpoint,
): Promise<boolean> {
  if ((await readLogSize(provenance, projectId)) < size) return false;
  const tree = await openTree(provenance, projectId, size);
  return Buffer.from(root).equals(await tree.readRoot());
}

function toFork(projectId: string, size: number): ServiceError {
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} does not continue its signed tree of ${size} leaves: the database is an older copy.`,
    {
      recovery:
        `Have the operator restore a newer database. If the missing records are lost, ` +
        `\`colophon log accept-loss ${projectId}\` lets the service sign again.`,
    },
  );
}
