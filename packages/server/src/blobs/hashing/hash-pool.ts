import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ContentDigests } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import { createIdleTimer, IDLE_MS, type IdleTimer } from '../../platform/threads/idle-timer.js';
import { createSilenceWatch, type SilenceWatch } from '../../platform/threads/silence-watch.js';
import type { FromHashThread, ToHashThread } from './protocol.js';
import { type CreateStreamHasher, createInlineHasher, type StreamHasher } from './stream-hasher.js';

/** Content above this is hashed outside the main thread: below it the way there costs more than it saves. */
const INLINE_BYTES = 8 * 2 ** 20;
/** What a message carries at most: bytes, and chunks, each of which costs time of its own to move. */
const BLOCK_BYTES = 2 ** 20;
const BLOCK_CHUNKS = 64;
/** Blocks of one content that are gathered, hashed or on their way; its memory. */
const BLOCKS_PER_STREAM = 4;
/** A block takes milliseconds. */
const SILENT_MS = 60_000;

/** Threads that hash content, each any number of contents at once. */
export interface HashPool {
  createHasher: CreateStreamHasher;
  /** Ends the threads; what they were hashing is rejected. */
  close(): Promise<void>;
}

export interface HashPoolOptions {
  threads: number;
  silentMs?: number;
  idleMs?: number;
  /** For tests: another program of the threads. */
  workerFile?: string;
}

/** One content of those that a thread hashes: what the main thread hears of it. */
interface Stream {
  hashed(): void;
  finished(digests: ContentDigests): void;
  failed(error: Error): void;
}

interface HashLane {
  worker: Worker;
  watch: SilenceWatch;
  idling: IdleTimer;
  streams: Map<number, Stream>;
}

/**
 * Threads are started when there is work for them, at most `threads`. One that is silent for `silentMs` while it has
 * work is ended, and another takes its place. One that has no work for `idleMs` is ended.
 */
export function createHashPool(options: HashPoolOptions): HashPool {
  const { threads, silentMs = SILENT_MS, idleMs = IDLE_MS, workerFile } = options;
  const lanes = new Set<HashLane>();
  let lastStream = 0;

  function startLane(): HashLane {
    const file = workerFile ?? createRequire(import.meta.url).resolve('#hash-worker');
    const worker = new Worker(file, { env: {} });
    const hang = () => {
      end(new Error(`The thread was silent for ${silentMs} ms.`));
      void worker.terminate();
    };
    const retire = () => {
      lanes.delete(lane);
      void worker.terminate();
    };
    const watch = createSilenceWatch(silentMs, hang);
    const lane: HashLane = { worker, watch, idling: createIdleTimer(idleMs, retire), streams: new Map() };
    const end = (error?: Error) => {
      lanes.delete(lane);
      lane.watch.end();
      for (const stream of lane.streams.values()) stream.failed(toStopped(error));
      lane.streams.clear();
    };
    worker.on('message', (message: FromHashThread) => hear(lane, message));
    worker.on('error', end);
    worker.on('exit', () => end());
    worker.unref();
    lanes.add(lane);
    return lane;
  }

  function leastBusy(): HashLane {
    const [idlest] = [...lanes].sort((one, other) => one.streams.size - other.streams.size);
    if (idlest === undefined || (idlest.streams.size > 0 && lanes.size < threads)) return startLane();
    return idlest;
  }

  return {
    createHasher(expectedBytes) {
      if (expectedBytes !== undefined && expectedBytes <= INLINE_BYTES) return createInlineHasher();
      lastStream += 1;
      return createThreadedHasher(leastBusy(), lastStream);
    },
    async close() {
      await Promise.all([...lanes].map(({ worker }) => worker.terminate()));
    },
  };
}

function hear(lane: HashLane, message: FromHashThread): void {
  lane.watch.answered();
  const stream = lane.streams.get(message.stream);
  if (message.kind === 'hashed') stream?.hashed();
  else {
    forget(lane, message.stream);
    stream?.finished(message.digests);
  }
}

/** A thread without work does not keep the process alive. */
function forget({ worker, idling, streams }: HashLane, id: number): void {
  streams.delete(id);
  if (streams.size > 0) return;
  worker.unref();
  idling.idle();
}

function createThreadedHasher(lane: HashLane, id: number): StreamHasher {
  const places = createPlaces();
  let chunks: Uint8Array[] = [];
  let gatheredBytes = 0;
  let settle: { resolve(digests: ContentDigests): void; reject(error: Error): void } | undefined;
  lane.streams.set(id, {
    hashed: places.free,
    finished: (digests) => settle?.resolve(digests),
    failed(error) {
      places.fail(error);
      settle?.reject(error);
    },
  });
  lane.worker.ref();
  lane.idling.busy();

  const post = (message: ToHashThread, moved: ArrayBuffer[] = []) => {
    if (message.kind !== 'discard') lane.watch.asked();
    lane.worker.postMessage(message, moved);
  };
  function flush(): void {
    if (gatheredBytes === 0) return;
    const moved = chunks.map(({ buffer }) => buffer as ArrayBuffer);
    post({ kind: 'update', stream: id, chunks }, moved);
    chunks = [];
    gatheredBytes = 0;
  }
  /** Moved, not copied: a buffer that stayed would be garbage of this thread, whose heap is large to collect. */
  async function take(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      if (gatheredBytes === 0) await places.take();
      const part = rest.subarray(0, BLOCK_BYTES - gatheredBytes);
      // Nothing but the chunk may be in what is moved.
      chunks.push(part.length === part.buffer.byteLength ? part : new Uint8Array(part));
      gatheredBytes += part.length;
      rest = rest.subarray(part.length);
      if (gatheredBytes === BLOCK_BYTES || chunks.length === BLOCK_CHUNKS) flush();
    }
  }

  return {
    update: (chunk) => take(new Uint8Array(chunk)),
    take,
    async finish() {
      places.assertWhole();
      flush();
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        post({ kind: 'finish', stream: id });
      });
    },
    discard() {
      if (settle !== undefined) return;
      post({ kind: 'discard', stream: id });
      forget(lane, id);
    },
  };
}

/** Places for the blocks of one content: each is free, being filled, or with the thread. */
function createPlaces() {
  let freeCount = BLOCKS_PER_STREAM;
  let failure: Error | undefined;
  let wake = () => {};
  const assertWhole = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    assertWhole,
    free(): void {
      freeCount += 1;
      wake();
    },
    fail(error: Error): void {
      failure = error;
      wake();
    },
    /** Resolves once there is a free place; rejects when the thread has ended. */
    async take(): Promise<void> {
      assertWhole();
      while (freeCount === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        assertWhole();
      }
      freeCount -= 1;
    },
  };
}

function toStopped(cause: unknown): ServiceError {
  return new ServiceError('Unavailable', 'The content was not hashed to its end.', { cause });
}
