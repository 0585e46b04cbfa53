import { ServiceError } from '../errors.js';
import type { Database, Queryable } from '../platform/db/database.js';
import { shareQuestions } from '../platform/db/wal-position.js';
import { withTimeout } from '../platform/sleep-until.js';
import {
  compareHead,
  type Head,
  type HeadDeps,
  newHead,
  noteFork,
  toFork,
  toFormer,
} from './compare-head.js';
import { openHeadWriter } from './head-writer.js';
import { readLogSize, readServer } from './log.sql.js';
import type { DocumentStore, LogName, Tree } from './stored-heads.js';

/**
 * The newest signed checkpoints of the logs. They are in the blob store, because an older copy may replace the
 * database. Without them, the service could then sign other leaves at positions that it signed before (a fork).
 */
export interface SignedHeads {
  /**
   * Call `beginRead` before you read the tree of `size` leaves. Returns the identity of the running database server
   * (`readServer`). Returns the largest signed tree instead if it has this size.
   */
  beginRead(log: LogName, size: number): Promise<string | Tree>;
  /**
   * Throws `Unavailable` if the log lost or changed leaves that were signed before, if the signed checkpoint cannot be
   * read, or if another database server has taken over since `beginRead`. The caller must have read the tree before the
   * call.
   */
  assertContinues(log: LogName, tree: ReadTree): Promise<void>;
  /** Whether the log lost leaves that were signed under this name. */
  isLost(log: LogName): Promise<boolean>;
  /**
   * Stores a signed checkpoint within some seconds, if it is the largest checkpoint of its log. The caller must have
   * called `assertContinues` with the tree. Throws `Unavailable` if the log was compared on another database server
   * after `beginRead`. The caller must then discard the signature.
   */
  keep(log: LogName, signed: ReadTree & { note: string }): void;
  state(): SignedHeadsState;
  close(): Promise<void>;
}

/** `begun`: the result of `beginRead`, which was called before the tree was read. */
type ReadTree = Tree & { begun: string | Tree | undefined };

export interface SignedHeadsState {
  /** Logs that this process does not sign, because they do not continue their signed trees. */
  forked: LogName[];
  unstored: number;
  failures: Readonly<Record<'read' | 'write', number>>;
}

interface SignedHeadDeps extends HeadDeps {
  provenance: Pick<Database, 'query' | 'engine'>;
  /** Called when a checkpoint was not stored. The service tries again. */
  reportFailure: (error: unknown) => void;
  /** Delay between a signature and its storage. */
  delayMs?: number;
}

const DELAY_MS = 5_000;
/** Maximum wait of a request for a comparison. The comparison continues, and the next request uses its result. */
const READ_MS = 10_000;
/** Maximum number of heads in memory. The others are read from the store again. */
const MAX_LOGS = 10_000;

/** Skips `kept`, forked heads and unstored heads. */
function forgetOldest(heads: Map<string, Head>, unstored: ReadonlySet<Head>, kept: Head): void {
  for (const head of heads.values()) {
    if (head === kept || head.isForked || unstored.has(head)) continue;
    heads.delete(head.log.origin);
    return;
  }
}

/** Calls `count` for each read that fails or has no answer in time. */
function countFailures(store: DocumentStore, count: () => void): DocumentStore {
  return {
    readDocument(name) {
      const begun = store.readDocument(name);
      withTimeout(begun, READ_MS).catch(count);
      return begun;
    },
    writeDocument: (name, bytes) => store.writeDocument(name, bytes),
  };
}

export function openSignedHeads({ reportFailure, delayMs = DELAY_MS, ...deps }: SignedHeadDeps): SignedHeads {
  const { provenance } = deps;
  /** The heads in the order of their last use, oldest first. */
  const heads = new Map<string, Head>();
  const reading = new Map<string, Promise<Head>>();
  const failures = { read: 0, write: 0 };
  const writer = openHeadWriter(
    {
      ...deps,
      reportFailure(error) {
        failures.write++;
        reportFailure(error);
      },
    },
    delayMs,
  );

  /** An embedded database cannot be replaced while this process runs, because no other process opens it. */
  const askServer =
    provenance.engine === 'pglite' ? async () => '' : shareQuestions(() => readServer(provenance));

  function remember(head: Head): Head {
    heads.delete(head.log.origin);
    heads.set(head.log.origin, head);
    if (heads.size > MAX_LOGS) forgetOldest(heads, writer.unstored, head);
    return head;
  }

  const store = countFailures(deps.store, () => failures.read++);
  const compare = (head: Head) => compareHead({ ...deps, store }, head, askServer);

  function compareOnce(name: string, run: () => Promise<Head>): Promise<Head> {
    const begun = reading.get(name) ?? run().finally(() => reading.delete(name));
    reading.set(name, begun);
    return withTimeout(begun, READ_MS).catch(toUnavailable);
  }

  async function headOf(log: LogName): Promise<Head> {
    const known = heads.get(log.origin);
    if (known !== undefined) return remember(known);
    return compareOnce(log.origin, async () => remember(await compare(newHead(log))));
  }

  const compareAgain = (head: Head, server: string) =>
    compareOnce(`${head.log.origin} ${server}`, () => compare(head));

  return {
    async beginRead(log, size) {
      const head = heads.get(log.origin);
      return (head && signedOf(head, size)) ?? askServer();
    },
    async assertContinues(log, tree) {
      const head = await headOf(log);
      if (await isContinued(head, tree, { provenance, askServer, compareAgain })) return;
      if (head.isFormer) throw toFormer(log);
      await noteFork(deps, head, true);
      throw await toFork(provenance, head);
    },
    async isLost(log) {
      const { isForked, isFormer } = await headOf(log);
      return isForked || isFormer;
    },
    keep(log, { size, root, begun, note }) {
      if (typeof begun === 'object') return;
      const known = heads.get(log.origin);
      if (known !== undefined && known.server !== begun) throw toMoved();
      const head = known ?? remember(newHead(log));
      if (size === 0 || size <= (head.signed?.size ?? 0)) return;
      Object.assign(head, { signed: { size, root }, note });
      writer.add(head);
    },
    state: () => ({
      forked: [...heads.values()].filter(({ isForked }) => isForked).map(({ log }) => log),
      unstored: writer.unstored.size,
      failures,
    }),
    close: writer.close,
  };
}

interface HeadComparison {
  provenance: Queryable;
  askServer: () => Promise<string>;
  compareAgain: (head: Head, server: string) => Promise<Head>;
}

/**
 * Whether the tree continues the signed head. If the database server is the same, compares only sizes, or the roots of
 * trees of equal size. After a change of the server, compares the leaves too, because a log that lost leaves and grew
 * again can be as large as before.
 */
async function isContinued(
  head: Head,
  { size, root, begun }: ReadTree,
  { provenance, askServer, compareAgain }: HeadComparison,
): Promise<boolean> {
  const { log } = head;
  const signed = typeof begun === 'object' ? begun : signedOf(head, size);
  if (signed !== undefined) return Buffer.from(root).equals(signed.root);
  const server = await askServer();
  if (server !== head.server || head.isForked) await compareAgain(head, server);
  if (head.isForked || head.isFormer) return false;
  if (begun !== server || head.server !== server) throw toMoved();
  // A proof may need a tree that is smaller than `signed`. The log must then still have all leaves of `signed`.
  const least = head.signed?.size ?? 0;
  return size >= least || (await readLogSize(provenance, log.projectId)) >= least;
}

function signedOf({ signed, isForked, isFormer }: Head, size: number): Tree | undefined {
  return size === signed?.size && !isForked && !isFormer ? signed : undefined;
}

/** The error for a tree that was read from one database server and compared on another server. */
function toMoved(): ServiceError {
  return new ServiceError(
    'Unavailable',
    'Another database server took over while the service read the log.',
    {
      recovery: 'Send the request again after Retry-After.',
      headers: { 'retry-after': '1' },
    },
  );
}

function toUnavailable(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  throw new ServiceError('Unavailable', 'The newest signed checkpoint of the log cannot be read now.', {
    recovery: 'Send the request again after Retry-After. If the error persists, check the store for bytes.',
    headers: { 'retry-after': '5' },
    cause,
  });
}
