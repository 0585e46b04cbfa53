import type { Database } from '../../platform/db/database.js';
import { type DescriptorLocation, readNew, readNewest, readSigns } from '../memory-index.sql.js';
import { createLoadDelays } from './load-delays.js';
import type { ToIndex } from './protocol.js';

/** If the last check is older, a search starts the next check and does not wait for it. */
const FRESH_MS = 250;
/** If the last check is older, a search waits for the next check. */
const STALE_MS = 900;
export interface IndexFeed {
  /**
   * Whether the project is in memory with every write older than one second. Starts to load an absent project and does
   * not wait for it.
   */
  catchUp(projectId: string): Promise<boolean>;
  isLoaded(projectId: string): boolean;
  /** The next search reads new writes of the project. */
  noteChange(projectId: string): void;
  /** After a delay, the next search loads the evicted project again. */
  noteEviction(projectId: string): void;
  forgetAll(): void;
  /** Resolves when no statement is running. */
  close(): Promise<void>;
}

interface Feed {
  isLoaded: boolean;
  /** The index has received every write up to this number. */
  newest: number;
  /** -Infinity before the first check and after each recorded write. */
  checkedAtMs: number;
  notes: number;
  begunAtMs: number;
  reading: Promise<void> | undefined;
}

const BEFORE_ALL: DescriptorLocation = { method: '', cid: '' };

export function createIndexFeed(
  db: Pick<Database, 'query' | 'engine'>,
  {
    post,
    reportFailure,
    now = () => performance.now(),
  }: { post(message: ToIndex): void; reportFailure(error: unknown): void; now?: () => number },
): IndexFeed {
  /** Whether other nodes can write. An embedded database has no other writers. */
  const isShared = db.engine !== 'pglite';
  const feeds = new Map<string, Feed>();
  const delays = createLoadDelays(now);
  let isClosed = false;

  const ageOf = ({ checkedAtMs }: Feed) =>
    isShared || checkedAtMs === Number.NEGATIVE_INFINITY ? now() - checkedAtMs : 0;

  async function load(projectId: string, feed: Feed): Promise<void> {
    // Read the newest write number first. Writes during the load have higher numbers, so `readOn` loads them.
    feed.newest = await readNewest(db, projectId);
    post({ kind: 'begin', projectId });
    let place: DescriptorLocation | undefined = BEFORE_ALL;
    while (place !== undefined && feeds.get(projectId) === feed && !isClosed) {
      const { slices, next }: Awaited<ReturnType<typeof readSigns>> = await readSigns(db, projectId, place);
      post({ kind: 'slice', projectId, slices });
      place = next;
    }
    await readOn(projectId, feed);
    if (feeds.get(projectId) !== feed) return;
    post({ kind: 'loaded', projectId });
    feed.isLoaded = true;
  }

  async function readOn(projectId: string, feed: Feed): Promise<void> {
    for (let hasMore = true; hasMore && feeds.get(projectId) === feed && !isClosed; ) {
      const [startedMs, notes] = [now(), feed.notes];
      const read = await readNew(db, projectId, feed.newest);
      if (read.rows.length > 0) post({ kind: 'new', projectId, rows: read.rows });
      feed.newest = read.newest;
      // A write during the check needs another check.
      if (feed.notes === notes) feed.checkedAtMs = startedMs;
      hasMore = read.hasMore;
    }
  }

  /** Runs at most one read per project. If it fails, removes the project. After a delay, a search loads it again. */
  function read(projectId: string, feed: Feed, how: typeof load): Promise<void> {
    feed.reading ??= how(projectId, feed)
      .catch((error: unknown) => {
        if (!isClosed) reportFailure(error);
        if (feeds.delete(projectId)) delays.noteFailure(projectId);
      })
      .finally(() => {
        feed.reading = undefined;
      });
    return feed.reading;
  }

  return {
    async catchUp(projectId) {
      const feed = feeds.get(projectId);
      if (feed === undefined) {
        if (!delays.mayLoad(projectId)) return false;
        const begun: Feed = {
          isLoaded: false,
          newest: 0,
          checkedAtMs: Number.NEGATIVE_INFINITY,
          notes: 0,
          begunAtMs: now(),
          reading: undefined,
        };
        feeds.set(projectId, begun);
        void read(projectId, begun, load);
        return false;
      }
      if (!feed.isLoaded) return false;
      if (ageOf(feed) > FRESH_MS) void read(projectId, feed, readOn);
      // A running read may have begun before the newest write.
      while (ageOf(feed) > STALE_MS && feeds.get(projectId) === feed)
        await (feed.reading ?? read(projectId, feed, readOn));
      return feeds.get(projectId) === feed;
    },
    isLoaded: (projectId) => feeds.get(projectId)?.isLoaded === true,
    noteChange(projectId) {
      const feed = feeds.get(projectId);
      if (feed === undefined) return;
      feed.checkedAtMs = Number.NEGATIVE_INFINITY;
      feed.notes += 1;
    },
    noteEviction(projectId) {
      const feed = feeds.get(projectId);
      if (feed !== undefined && feeds.delete(projectId))
        delays.noteEviction(projectId, now() - feed.begunAtMs);
    },
    forgetAll: () => feeds.clear(),
    async close() {
      isClosed = true;
      await Promise.all([...feeds.values()].map(({ reading }) => reading));
    },
  };
}
