import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Database } from '../platform/db/database.js';
import { limitHeap } from '../platform/threads/thread-pool.js';
import { createIndexFeed } from './memory/index-feed.js';
import type { FindTask, FromIndex, IndexWorkerData, Near, RecordedRow, ToIndex } from './memory/protocol.js';
import { readVectors } from './memory-index.sql.js';

/** An index over the descriptors of the searched projects, in its own thread. */
export interface MemoryIndex {
  /**
   * Finds the nearest content, nearest first. Includes every write older than one second, from any node. Undefined when
   * the project is not in memory, the caller no longer waits, or the index is off, closed or failed.
   */
  find(task: FindTask, signal?: AbortSignal): Promise<Near[] | undefined>;
  /** The next search finds this content. */
  addRecorded(projectId: string, row: RecordedRow): void;
  /** The next search reads new writes of the project. */
  noteChange(projectId: string): void;
  close(): Promise<void>;
}

export interface MemoryIndexOptions {
  /** Memory limit over all projects; 0: no index. */
  maxBytes: number;
  reportFailure(error: unknown): void;
}

interface MemorySearch {
  task: FindTask;
  end(near: Near[] | undefined): void;
}

const MAX_HEAP_MB = 512;

/** The first search starts the thread, and the first after its end starts it again. */
export function createMemoryIndex(
  db: Pick<Database, 'query' | 'engine'>,
  { maxBytes, reportFailure }: MemoryIndexOptions,
): MemoryIndex {
  const searches = new Map<number, MemorySearch>();
  let thread: Worker | undefined;
  let lastId = 0;
  let isClosed = false;
  const post = (message: ToIndex) => thread?.postMessage(message);
  const feed = createIndexFeed(db, { post, reportFailure });

  function start(): void {
    const workerData: IndexWorkerData = { maxBytes };
    const resourceLimits = limitHeap(MAX_HEAP_MB);
    const file = createRequire(import.meta.url).resolve('#search-index-worker');
    const started = new Worker(file, { env: {}, workerData, resourceLimits });
    started.unref();
    started.on('message', hear);
    started.on('error', (error) => drop(started, error));
    started.on('exit', () => drop(started));
    thread = started;
  }

  function drop(which: Worker, error?: Error): void {
    if (error !== undefined) reportFailure(error);
    if (thread !== which) return;
    thread = undefined;
    feed.forgetAll();
    for (const { end } of [...searches.values()]) end(undefined);
  }

  function hear(message: FromIndex): void {
    if (message.kind === 'evicted') feed.noteEviction(message.projectId);
    else if (message.kind === 'found') searches.get(message.id)?.end(message.near);
    else void supply(message.id, message.cids);
  }

  async function supply(id: number, cids: readonly string[]): Promise<void> {
    const search = searches.get(id);
    if (search === undefined) return;
    const { projectId, method } = search.task;
    try {
      post({ kind: 'vectors', id, rows: await readVectors(db, projectId, { method, cids }) });
    } catch (error) {
      reportFailure(error);
      post({ kind: 'leave', id });
      search.end(undefined);
    }
  }

  function ask(task: FindTask, signal: AbortSignal | undefined): Promise<Near[] | undefined> {
    const id = ++lastId;
    return new Promise((resolve) => {
      const leave = () => {
        post({ kind: 'leave', id });
        end(undefined);
      };
      const end = (near: Near[] | undefined) => {
        searches.delete(id);
        signal?.removeEventListener('abort', leave);
        resolve(near);
      };
      searches.set(id, { task, end });
      signal?.addEventListener('abort', leave, { once: true });
      post({ kind: 'find', id, task });
    });
  }

  return {
    async find(task, signal) {
      if (isClosed || maxBytes === 0) return undefined;
      if (thread === undefined) start();
      const isThere = await feed.catchUp(task.projectId);
      return isThere && !isClosed && signal?.aborted !== true ? ask(task, signal) : undefined;
    },
    addRecorded(projectId, row) {
      if (feed.isLoaded(projectId)) post({ kind: 'recorded', projectId, row });
      else feed.noteChange(projectId);
    },
    noteChange: feed.noteChange,
    async close() {
      isClosed = true;
      await feed.close();
      const ending = thread;
      thread = undefined;
      for (const { end } of [...searches.values()]) end(undefined);
      await ending?.terminate();
    },
  };
}
