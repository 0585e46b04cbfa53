import { createHash } from 'node:crypto';
import { parseCheckpoint, type SignedCheckpoint } from '@colophon/model';
import { ServiceError } from '../errors.js';
import type { Queryable } from '../platform/db/database.js';
import { withTimeout } from '../platform/sleep-until.js';
import { readLogSize } from './log.sql.js';
import { openTree } from './tree-reader.js';

/** A store of small documents that may change. A `BlobStore` is one. */
interface DocumentStore {
  readDocument(name: string): Promise<Buffer | undefined>;
  writeDocument(name: string, bytes: Uint8Array): Promise<void>;
  removeDocument(name: string): Promise<void>;
}

/** A log: its project, and the origin of its checkpoints. */
export interface LogName {
  projectId: string;
  origin: string;
}

interface Tree {
  size: number;
  root: Uint8Array;
}

/**
 * The newest signed checkpoint of each log. The blob store contains them, because the database may be restored.
 * Without them, after a restore of an older database, the service would sign different leaves at positions that it
 * signed before (a fork).
 */
export interface SignedHeads {
  /**
   * Throws `Unavailable` if the log lacks leaves that were signed before, or has other leaves in their place. Also
   * throws it if the signed checkpoint cannot be read.
   */
  assertContinues(log: LogName, tree: Tree): Promise<void>;
  /**
   * Stores a signed checkpoint within some seconds, if it is the largest one of its log. The caller must have called
   * `assertContinues` with the tree.
   */
  keep(log: LogName, signed: Tree & { note: string }): void;
  close(): Promise<void>;
}

interface SignedHeadDeps {
  store: DocumentStore;
  provenance: Queryable;
  reportFailure: (error: unknown) => void;
  /** Delay between a signature and its storage, so that many signatures of a busy log need only one write. */
  delayMs?: number;
}

/** The state of a log in memory. `signed`: the largest signed tree. `note`: its checkpoint, until it is stored. */
interface Head {
  log: LogName;
  signed: Tree | undefined;
  note: string | undefined;
  /** Whether the log does not continue `signed`. The service signs the log again only after it continues `signed`. */
  isForked: boolean;
}

const DELAY_MS = 5_000;
const RETRY_MS = 10_000;
/**
 * Maximum wait for the store before the first signature of a log. After that the read continues, and the next request
 * uses its result.
 */
const READ_MS = 10_000;
/** Maximum number of logs in memory. The head of any other log is read from the store again. */
const MAX_LOGS = 10_000;
const STORED_AT_ONCE = 8;

/** Removes from memory the oldest head that is already in the store, but not `kept`. */
function forgetOldest(heads: Map<string, Head>, unstored: ReadonlySet<Head>, kept: Head): void {
  for (const head of heads.values()) {
    if (head === kept || unstored.has(head)) continue;
    heads.delete(head.log.origin);
    return;
  }
}

export function openSignedHeads({
  store,
  provenance,
  reportFailure,
  delayMs = DELAY_MS,
}: SignedHeadDeps): SignedHeads {
  /** In the order of last use, oldest first. */
  const heads = new Map<string, Head>();
  const reading = new Map<string, Promise<Head>>();
  const unstored = new Set<Head>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  let isClosed = false;

  function remember(head: Head): Head {
    heads.delete(head.log.origin);
    heads.set(head.log.origin, head);
    if (heads.size > MAX_LOGS) forgetOldest(heads, unstored, head);
    return head;
  }

  async function readHead(log: LogName): Promise<Head> {
    const signed = await readStored(store, log);
    const isForked = signed !== undefined && !(await isPrefix(provenance, log.projectId, signed));
    return remember({ log, signed, note: undefined, isForked });
  }

  function headOf(log: LogName): Head | Promise<Head> {
    const known = heads.get(log.origin);
    if (known !== undefined) return remember(known);
    const begun = reading.get(log.origin) ?? readHead(log).finally(() => reading.delete(log.origin));
    reading.set(log.origin, begun);
    return withTimeout(begun, READ_MS).catch(toUnavailable);
  }

  /** Stores a head. Throws `Unavailable` if the log does not continue the head in the store. */
  async function storeHead(head: Head): Promise<void> {
    const { log, note, signed } = head;
    if (note === undefined || signed === undefined) return;
    const stored = await readStored(store, log);
    if (stored !== undefined && !(await isPrefix(provenance, log.projectId, stored))) {
      Object.assign(head, { signed: stored, note: undefined, isForked: true });
      throw toFork(log, stored.size);
    }
    if (stored === undefined || stored.size < signed.size) {
      await store.writeDocument(nameOf(log), Buffer.from(note));
      // Another node may have stored a smaller tree at the same time.
      if (((await readStored(store, log))?.size ?? 0) < signed.size) return;
    }
    if (head.note === note) head.note = undefined;
  }

  /** Stores the heads that wait. Returns whether some still wait. */
  async function storeAll(): Promise<boolean> {
    const waiting = [...unstored];
    const work = async () => {
      for (let head = waiting.pop(); head !== undefined; head = waiting.pop()) {
        await storeHead(head).catch(reportFailure);
        if (head.note === undefined) unstored.delete(head);
      }
    };
    await Promise.all(Array.from({ length: STORED_AT_ONCE }, work));
    return unstored.size > 0;
  }

  function schedule(ms: number): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      storing = storeAll().then((isLeft) => {
        timer = undefined;
        if (isLeft) schedule(RETRY_MS);
      });
    }, ms).unref();
  }

  return {
    async assertContinues(log, tree) {
      const head = await headOf(log);
      head.isForked = !(await isContinued(provenance, head, tree));
      if (head.isForked) throw toFork(log, head.signed?.size ?? 0);
    },
    keep(log, { size, root, note }) {
      const head =
        heads.get(log.origin) ?? remember({ log, signed: undefined, note: undefined, isForked: false });
      if (size === 0 || size <= (head.signed?.size ?? 0)) return;
      Object.assign(head, { signed: { size, root }, note });
      unstored.add(head);
      schedule(delayMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await storing;
      await storeAll();
    },
  };
}

/**
 * Compares a log with its stored checkpoint. Returns the size of the checkpoint if the database does not continue it,
 * and `damaged` if the document is not a checkpoint. Otherwise returns undefined.
 */
export async function findFork(
  { store, provenance }: Pick<SignedHeadDeps, 'store' | 'provenance'>,
  log: LogName,
): Promise<number | 'damaged' | undefined> {
  const stored = await parseStored(store, log);
  if (stored === undefined || stored === 'damaged') return stored;
  return (await isPrefix(provenance, log.projectId, stored)) ? undefined : stored.size;
}

/** Removes the stored checkpoint of a log. A service that starts afterwards signs the present leaves of the log. */
export async function forgetSignedHead(store: DocumentStore, log: LogName): Promise<void> {
  await store.removeDocument(nameOf(log));
}

async function parseStored(
  store: DocumentStore,
  log: LogName,
): Promise<SignedCheckpoint | 'damaged' | undefined> {
  const bytes = await store.readDocument(nameOf(log));
  return bytes && (parseCheckpoint(bytes.toString()) ?? 'damaged');
}

/** Throws `Unavailable` for a document that is no checkpoint. */
async function readStored(store: DocumentStore, log: LogName): Promise<SignedCheckpoint | undefined> {
  const stored = await parseStored(store, log);
  if (stored !== 'damaged') return stored;
  throw new ServiceError('Unavailable', `The document ${nameOf(log)} in the store for bytes is damaged.`, {
    recovery: `Have the operator restore it, or run \`colophon log accept-loss ${log.projectId}\`.`,
  });
}

/** Returns the name of the log's document. The name depends on the origin, so several services may share the store. */
export function nameOf({ origin }: LogName): string {
  return `log-head-${createHash('sha256').update(origin).digest('hex')}`;
}

/**
 * Whether the tree continues the signed tree. After a fork, compares the leaves and not only the sizes, because a log
 * that lost leaves and grew again may be as large as before.
 */
async function isContinued(
  provenance: Queryable,
  { log, signed, isForked }: Head,
  { size, root }: Tree,
): Promise<boolean> {
  if (signed === undefined) return true;
  if (isForked) return isPrefix(provenance, log.projectId, signed);
  if (size === signed.size) return Buffer.from(root).equals(signed.root);
  // A proof may need a smaller tree than the present one.
  return size > signed.size || (await readLogSize(provenance, log.projectId)) >= signed.size;
}

async function isPrefix(provenance: Queryable, projectId: string, { size, root }: Tree): Promise<boolean> {
  if ((await readLogSize(provenance, projectId)) < size) return false;
  const tree = await openTree(provenance, projectId, size);
  return Buffer.from(root).equals(await tree.readRoot());
}

function toUnavailable(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  throw new ServiceError('Unavailable', 'The newest signed checkpoint of the log cannot be read now.', {
    recovery: 'Send the request again after Retry-After. If it persists, check the store for bytes.',
    headers: { 'retry-after': '5' },
    cause,
  });
}

function toFork({ projectId }: LogName, size: number): ServiceError {
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} does not continue its signed tree of ${size} leaves: the database is an older copy.`,
    {
      recovery:
        `Have the operator restore a newer database. If the missing records are lost, ` +
        `\`colophon log accept-loss ${projectId} --size ${size}\` lets the service sign again.`,
    },
  );
}
