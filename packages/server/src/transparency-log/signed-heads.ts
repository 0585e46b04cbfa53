import { ServiceError } from '../errors.js';
import type { Database } from '../platform/db/database.js';
import { shareQuestions } from '../platform/db/wal-position.js';
import { withTimeout } from '../platform/sleep-until.js';
import { readLogSize, readOrigin, readServer } from './log.sql.js';
import { type DocumentStore, isPrefix, type LogName, nameOf, readStored, type Tree } from './stored-heads.js';

/**
 * The newest signed checkpoint of each log. The blob store contains them, because the database may be restored, or a
 * replica may replace it. Without them, the service would then sign different leaves at positions that it signed before
 * (a fork).
 */
export interface SignedHeads {
  /**
   * Throws `Unavailable` if the log lacks leaves that were signed before, or has other leaves in their place. Also
   * throws it if the signed checkpoint cannot be read. The caller must have read the tree before the call.
   */
  assertContinues(log: LogName, tree: Tree): Promise<void>;
  /** Whether the log lost leaves that were signed under this name. */
  isLost(log: LogName): Promise<boolean>;
  /**
   * Stores a signed checkpoint within some seconds, if it is the largest one of its log. The caller must have called
   * `assertContinues` with the tree.
   */
  keep(log: LogName, signed: Tree & { note: string }): void;
  state(): SignedHeadsState;
  close(): Promise<void>;
}

/** For operators. The numbers count events of this process. */
export interface SignedHeadsState {
  /** Logs that this process does not sign, because they do not continue their signed trees. */
  forked: LogName[];
  /** Number of checkpoints that are not known to be in the store. */
  unstored: number;
  /** Number of failed reads and writes of checkpoints in the store. */
  failures: Readonly<Record<'read' | 'write', number>>;
}

interface SignedHeadDeps {
  store: DocumentStore;
  provenance: Pick<Database, 'query' | 'engine'>;
  /** Called when a checkpoint was not stored. The service tries again. */
  reportFailure: (error: unknown) => void;
  /** Called when the service stops to sign a log. */
  reportFork: (error: ServiceError) => void;
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
  /** Whether the log lost leaves of `signed` and has another name since then. The service signs no such tree. */
  isFormer: boolean;
  /** The database server when the log was compared with `signed` (`readServer`). */
  server: string;
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

/** Removes the oldest head that the store has, but not `kept`. */
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
  reportFork,
  delayMs = DELAY_MS,
}: SignedHeadDeps): SignedHeads {
  /** In the order of last use, oldest first. */
  const heads = new Map<string, Head>();
  const reading = new Map<string, Promise<Head>>();
  const unstored = new Set<Head>();
  const failures = { read: 0, write: 0 };
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** Only this process opens an embedded database, so it does not change while the process runs. */
  const askServer =
    provenance.engine === 'pglite' ? async () => '' : shareQuestions(() => readServer(provenance));

  function remember(head: Head): Head {
    heads.delete(head.log.origin);
    heads.set(head.log.origin, head);
    if (heads.size > MAX_LOGS) forgetOldest(heads, unstored, head);
    return head;
  }

  async function noteFork(head: Head, isForked: boolean): Promise<void> {
    const isNew = isForked && !head.isForked;
    head.isForked = isForked;
    if (isNew) reportFork(await toFork(provenance, head));
  }

  /**
   * Compares the log with its largest signed trees: the one in memory, and the one that any node has stored. `signed`
   * becomes the largest tree that the log does not continue, or else the largest tree.
   */
  async function compare(head: Head): Promise<Head> {
    const server = await askServer();
    const stored = await readStored(store, head.log);
    const trees = [head.signed, stored].filter((tree) => tree !== undefined);
    trees.sort((one, other) => other.size - one.size);
    const continued = await Promise.all(trees.map((tree) => isPrefix(provenance, head.log.projectId, tree)));
    const broken = trees.find((_, place) => !continued[place]);
    const isLarger = (stored?.size ?? 0) > (head.signed?.size ?? 0);
    const newest = broken ?? (isLarger ? stored : head.signed);
    // A checkpoint that only this process has must still reach the store.
    if (newest !== head.signed) Object.assign(head, { signed: newest, note: undefined });
    head.isFormer =
      broken !== undefined && (await readOrigin(provenance, head.log.projectId)) !== head.log.origin;
    await noteFork(head, broken !== undefined && !head.isFormer);
    head.server = server;
    return head;
  }

  /** Requests for one log share a comparison. */
  function compareOnce(name: string, run: () => Promise<Head>): Promise<Head> {
    const begun = reading.get(name) ?? run().finally(() => reading.delete(name));
    reading.set(name, begun);
    return withTimeout(begun, READ_MS).catch((cause: unknown) => {
      failures.read++;
      return toUnavailable(cause);
    });
  }

  async function headOf(log: LogName): Promise<Head> {
    const known = heads.get(log.origin);
    if (known !== undefined) return remember(known);
    return compareOnce(log.origin, async () => remember(await compare(newHead(log))));
  }

  /**
   * Whether the tree continues the signed tree. Sizes show this while the database stays the same. After another
   * server or database has taken over, and after a fork, compares the leaves, because a log that lost leaves and grew
   * again may be as large as before.
   */
  async function isContinued(head: Head, { size, root }: Tree): Promise<boolean> {
    const { log, signed } = head;
    if (size === signed?.size && !head.isForked && !head.isFormer)
      return Buffer.from(root).equals(signed.root);
    const server = await askServer();
    if (server !== head.server || head.isForked)
      await compareOnce(`${log.origin} ${server}`, () => compare(head));
    if (head.isForked || head.isFormer) return false;
    // A proof may need a smaller tree than the present one.
    const least = head.signed?.size ?? 0;
    return size >= least || (await readLogSize(provenance, log.projectId)) >= least;
  }

  /** Stores a head. Throws `Unavailable` if the log does not continue the head in the store. */
  async function storeHead(head: Head): Promise<void> {
    const { log, note, signed } = head;
    if (note === undefined || signed === undefined) return;
    const stored = await readStored(store, log);
    if (stored !== undefined && !(await isPrefix(provenance, log.projectId, stored))) {
      Object.assign(head, { signed: stored, note: undefined });
      return noteFork(head, true);
    }
    // A written head waits for the next round: another node may have replaced it with a smaller tree at the same time.
    if (stored === undefined || stored.size < signed.size)
      await store.writeDocument(nameOf(log), Buffer.from(note));
    else if (head.note === note) head.note = undefined;
  }

  /** Stores the heads that wait. Returns after which time the next round is due; undefined if no head waits. */
  async function storeAll(): Promise<number | undefined> {
    const waiting = [...unstored];
    let dueMs = delayMs;
    const work = async () => {
      for (let head = waiting.pop(); head !== undefined; head = waiting.pop()) {
        await storeHead(head).catch((error: unknown) => {
          failures.write++;
          dueMs = RETRY_MS;
          reportFailure(error);
        });
        if (head.note === undefined) unstored.delete(head);
      }
    };
    await Promise.all(Array.from({ length: STORED_AT_ONCE }, work));
    return unstored.size > 0 ? dueMs : undefined;
  }

  function schedule(ms: number): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      storing = storeAll().then((dueMs) => {
        timer = undefined;
        if (dueMs !== undefined) schedule(dueMs);
      });
    }, ms).unref();
  }

  return {
    async assertContinues(log, tree) {
      const head = await headOf(log);
      if (await isContinued(head, tree)) return;
      if (head.isFormer) throw toFormer(log);
      await noteFork(head, true);
      throw await toFork(provenance, head);
    },
    async isLost(log) {
      const { isForked, isFormer } = await headOf(log);
      return isForked || isFormer;
    },
    keep(log, { size, root, note }) {
      const head = heads.get(log.origin) ?? remember(newHead(log));
      if (size === 0 || size <= (head.signed?.size ?? 0)) return;
      Object.assign(head, { signed: { size, root }, note });
      unstored.add(head);
      schedule(delayMs);
    },
    state: () => ({
      forked: [...heads.values()].filter(({ isForked }) => isForked).map(({ log }) => log),
      unstored: unstored.size,
      failures,
    }),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await storing;
      if ((await storeAll()) !== undefined) await storeAll();
    },
  };
}

/** A log that was not compared yet. */
function newHead(log: LogName): Head {
  return { log, signed: undefined, note: undefined, isForked: false, isFormer: false, server: '' };
}

function toUnavailable(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  throw new ServiceError('Unavailable', 'The newest signed checkpoint of the log cannot be read now.', {
    recovery: 'Send the request again after Retry-After. If it persists, check the store for bytes.',
    headers: { 'retry-after': '5' },
    cause,
  });
}

function toFormer({ projectId, origin }: LogName): ServiceError {
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} lost leaves, and has another name than ${origin} since then.`,
    { recovery: 'Request a proof of the present tree: GET /v1/log shows the present name.' },
  );
}

async function toFork(
  provenance: SignedHeadDeps['provenance'],
  { log: { projectId }, signed }: Head,
): Promise<ServiceError> {
  const size = signed?.size ?? 0;
  const present = await readLogSize(provenance, projectId);
  return new ServiceError(
    'Unavailable',
    `The log of the project ${projectId} has ${present} leaves, but does not continue its signed tree of ${size} leaves: the database is an older copy.`,
    {
      recovery:
        'Have the operator restore a newer database. If the missing records are lost, ' +
        `\`colophon log accept-loss ${projectId} --size ${size}\` continues the log under a new name.`,
    },
  );
}
