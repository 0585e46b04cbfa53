import { createRequire } from 'node:module';
import type { ContentDigests } from '@colophon/model';
import { createThreadPool, IDLE_MS, type Lane, type ThreadJob } from '../../platform/threads/thread-pool.js';
import { createFairLimit, type FairLimit } from '../../platform/work/limit-concurrency.js';
import type { FromHashThread, ToHashThread } from './protocol.js';
import { type CreateStreamHasher, createInlineHasher, type StreamHasher } from './stream-hasher.js';

/** Larger content is hashed in a thread. For smaller content, the messages would cost more than the thread saves. */
const INLINE_BYTES = 8 * 2 ** 20;
/** Maximum size of a message to the thread, and its maximum number of chunks. */
const BLOCK_BYTES = 2 ** 20;
const BLOCK_CHUNKS = 64;
/** Maximum number of blocks of one content in memory. A block counts until the thread has hashed it. */
const BLOCKS_PER_STREAM = 4;
/** Further blocks wait in the sending thread, where projects take turns. */
const BLOCKS_PER_THREAD = 4;
/** A thread counts as stuck if it has work and sends nothing for this time. A block takes milliseconds. */
const SILENT_MS = 60_000;

/** Each thread hashes any number of contents concurrently. Projects take turns, one block at a time. */
export interface HashPool {
  createHasher: CreateStreamHasher;
  /** Ends the threads and rejects pending content. */
  close(): Promise<void>;
}

export interface HashPoolOptions {
  threads: number;
  silentMs?: number;
  idleMs?: number;
  /** File of another worker program, for tests. */
  workerFile?: string;
}

interface Stream extends ThreadJob {
  hashed(): void;
  finished(digests: ContentDigests): void;
}

/** Replaces a thread that has work and is silent for `silentMs`. Ends a thread without work after `idleMs`. */
export function createHashPool(options: HashPoolOptions): HashPool {
  const { threads, silentMs = SILENT_MS, idleMs = IDLE_MS } = options;
  const { workerFile = createRequire(import.meta.url).resolve('#hash-worker') } = options;
  const pool = createThreadPool<Stream, FromHashThread>({
    workerFile,
    stopped: 'The content was not hashed to its end.',
    silentMs,
    idleMs,
    onMessage(lane, message) {
      if (message.kind === 'hashed') lane.jobs.get(message.stream)?.hashed();
      else lane.finish(message.stream)?.finished(message.digests);
    },
  });

  const turnsOf = new WeakMap<Lane<Stream>, FairLimit>();
  function findTurns(lane: Lane<Stream>): FairLimit {
    const turns = turnsOf.get(lane) ?? createFairLimit({ atOnce: BLOCKS_PER_THREAD });
    turnsOf.set(lane, turns);
    return turns;
  }

  function leastBusy(): Lane<Stream> {
    const [idlest] = [...pool.lanes].sort((one, other) => one.jobs.size - other.jobs.size);
    if (idlest === undefined || (idlest.jobs.size > 0 && pool.lanes.size < threads)) return pool.start();
    return idlest;
  }

  return {
    createHasher(expectedBytes, projectId = '') {
      if (expectedBytes !== undefined && expectedBytes <= INLINE_BYTES) return createInlineHasher();
      const lane = leastBusy();
      return createThreadedHasher(lane, (run) => findTurns(lane)(projectId, run));
    },
    close: pool.close,
  };
}

type TakeTurn = (run: () => Promise<void>) => Promise<void>;

/** Sends blocks in order. The turn of a block lasts until the thread has hashed it. */
function createBlockSender(lane: Lane<Stream>, takeTurn: TakeTurn) {
  const waiting: (() => void)[] = [];
  const sent: (() => void)[] = [];
  let isEnded = false;
  const sendNext = () =>
    new Promise<void>((resolve) => {
      const send = waiting.shift();
      if (isEnded || send === undefined) return resolve();
      sent.push(resolve);
      send();
    });
  return {
    add(stream: number, chunks: Uint8Array[]): Promise<void> {
      const moved = chunks.map(({ buffer }) => buffer as ArrayBuffer);
      waiting.push(() => lane.send({ kind: 'update', stream, chunks } satisfies ToHashThread, moved));
      return takeTurn(sendNext);
    },
    hashed: () => sent.shift()?.(),
    /** Ends all turns. Does not send the waiting blocks. */
    end(): void {
      isEnded = true;
      for (const resolve of sent.splice(0)) resolve();
    },
  };
}

function createThreadedHasher(lane: Lane<Stream>, takeTurn: TakeTurn): StreamHasher {
  const slots = createSlots();
  const blocks = createBlockSender(lane, takeTurn);
  let last = Promise.resolve();
  let chunks: Uint8Array[] = [];
  let filledBytes = 0;
  let settle: { resolve(digests: ContentDigests): void; reject(error: Error): void } | undefined;
  const stream = lane.add({
    hashed() {
      blocks.hashed();
      slots.free();
    },
    finished: (digests) => settle?.resolve(digests),
    fail(error) {
      blocks.end();
      slots.fail(error);
      settle?.reject(error);
    },
  });

  function flush(): void {
    if (filledBytes === 0) return;
    last = blocks.add(stream, chunks);
    chunks = [];
    filledBytes = 0;
  }
  /** Moves the chunk to the thread. A copy would leave garbage in this thread, whose heap is slow to collect. */
  async function take(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      if (filledBytes === 0) await slots.take();
      const part = rest.subarray(0, BLOCK_BYTES - filledBytes);
      // A moved buffer must contain only this chunk.
      chunks.push(part.length === part.buffer.byteLength ? part : new Uint8Array(part));
      filledBytes += part.length;
      rest = rest.subarray(part.length);
      if (filledBytes === BLOCK_BYTES || chunks.length === BLOCK_CHUNKS) flush();
    }
  }

  return {
    update: (chunk) => take(new Uint8Array(chunk)),
    take,
    async finish() {
      slots.assertWhole();
      flush();
      await last;
      slots.assertWhole();
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        lane.send({ kind: 'finish', stream } satisfies ToHashThread);
      });
    },
    discard() {
      if (settle !== undefined) return;
      blocks.end();
      lane.notify({ kind: 'discard', stream } satisfies ToHashThread);
      lane.finish(stream);
    },
  };
}

/** A block has a slot from its first byte until the thread has hashed it. */
function createSlots() {
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
    /** Rejects when the thread has ended. */
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
