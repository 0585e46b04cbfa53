import { type Head, type HeadDeps, noteFork } from './compare-head.js';
import { isPrefix, nameOf, readStored } from './stored-heads.js';

const RETRY_MS = 10_000;
const STORED_AT_ONCE = 8;

/** Stores signed checkpoints after a delay, so that a busy log needs only one write during this delay. */
export interface HeadWriter {
  unstored: ReadonlySet<Head>;
  add(head: Head): void;
  close(): Promise<void>;
}

/** Calls `reportFailure` when it could not store a head, and tries again. */
export function openHeadWriter(
  deps: HeadDeps & { reportFailure: (error: unknown) => void },
  delayMs: number,
): HeadWriter {
  const unstored = new Set<Head>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** Returns the time until the next round in ms; undefined if no head waits any more. */
  async function storeAll(): Promise<number | undefined> {
    const waiting = [...unstored];
    let dueMs = delayMs;
    const work = async () => {
      for (let head = waiting.pop(); head !== undefined; head = waiting.pop()) {
        await storeHead(deps, head).catch((error: unknown) => {
          dueMs = RETRY_MS;
          deps.reportFailure(error);
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
    unstored,
    add(head) {
      unstored.add(head);
      schedule(delayMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await storing;
      if ((await storeAll()) !== undefined) await storeAll();
    },
  };
}

/**
 * Stores `head` if it is larger than the stored head. If the log does not continue the stored head, the stored head
 * stays. There is one exception: if the log continues the stored head but not `head`, `head` replaces the stored head
 * even if `head` is smaller, because other nodes may not know this fork.
 */
async function storeHead(deps: HeadDeps, head: Head): Promise<void> {
  const { store, provenance } = deps;
  const { log, note, signed } = head;
  if (note === undefined || signed === undefined) return;
  // Run `isPrefix` first, so that other nodes have little time to write between `readStored` and the write below.
  const isContinued = await isPrefix(provenance, log.projectId, signed);
  const stored = await readStored(store, log);
  if (stored !== undefined && !(await isPrefix(provenance, log.projectId, stored))) {
    Object.assign(head, { signed: stored, note: undefined });
    return noteFork(deps, head, true);
  }
  if (!isContinued) {
    await store.writeDocument(nameOf(log), Buffer.from(note));
    if (head.signed === signed) await noteFork(deps, head, true);
    return;
  }
  // Keep a written head for another round, because another node may write a smaller tree at the same time.
  if (stored === undefined || stored.size < signed.size)
    await store.writeDocument(nameOf(log), Buffer.from(note));
  else if (head.note === note) head.note = undefined;
}
