import { createRequire } from 'node:module';
import {
  createThreadPool,
  END_GRACE_MS,
  IDLE_MS,
  type Lane,
  limitJob,
  type ThreadJob,
  type ThreadPool,
} from '../platform/threads/thread-pool.js';
import type { Hold } from '../platform/work/scheduler.js';
import { compileEngine, type WorkerProgram } from './compile-engine.js';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.js';
import type { PassTimes } from './pass-times.js';
import { toFailed, toTimeout, toTooHeavy } from './pool-refusals.js';
import type {
  FromWorker,
  MediaWorkerAnswer,
  MediaWorkerSettings,
  SignatureCall,
  ToWorker,
  WorkerLoad,
  WorkerTask,
} from './worker/protocol.js';

const START_LIMIT_MS = 30_000;
/** Pause after a failed start, while other threads run. */
const START_PAUSE_MS = 5_000;
/** Heap limit of a thread. Files are in buffers, which this limit does not count. */
const MAX_HEAP_MB = 512;
/** A thread above this size is replaced after its task, because a WebAssembly memory never shrinks. */
const RETIRE_ABOVE_BYTES = 96 * 1024 * 1024;

export interface PoolOptions extends WorkerProgram {
  timeoutMs: number;
  times?: PassTimes;
  /** Maximum growth of the process's memory during one task, in bytes. */
  memoryBytes: number;
  /** The pool ends a thread that is idle for this time. */
  idleMs?: number;
}

/** Calls from a thread to the main thread, during a task that signs a file. */
export interface SignCalls {
  /** Only the main thread has the keys. */
  sign(call: SignatureCall): Promise<Uint8Array>;
  /** The signed file is on disk, and not verified yet. */
  written: (() => void) | undefined;
}

export interface WorkOrder {
  task: WorkerTask;
  signal: AbortSignal;
  /** Occupies the slot of the task until its thread has ended. */
  hold: Hold;
  calls?: SignCalls;
}

interface MediaJob extends ThreadJob {
  onMessage(message: FromWorker): void;
}

type MediaLane = Lane<MediaJob>;

/** Each thread runs one task at a time. A scheduler limits the number of tasks. */
export class WorkerPool {
  readonly #options: PoolOptions;
  /** Tasks that wait until a running thread is free, because a new thread did not start. */
  readonly #waiting: (() => void)[] = [];
  readonly #memory: MemoryWatch<MediaLane>;
  readonly #pool: ThreadPool<MediaJob>;
  #program: Promise<WebAssembly.Module> | undefined;
  #startAgainAtMs = 0;
  #networkAttempts = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    const { workerFile = createRequire(import.meta.url).resolve('#media-worker') } = options;
    this.#options = options;
    this.#pool = createThreadPool<MediaJob, FromWorker>({
      workerFile,
      maxHeapMb: MAX_HEAP_MB,
      stopped: 'The media engine stopped before it finished this file.',
      idleMs: options.idleMs ?? IDLE_MS,
      graceMs: END_GRACE_MS,
      onMessage: (lane, message) => [...lane.jobs.values()][0]?.onMessage(message),
      onEnd: (ended) => void ended.then(() => this.#wakeAll()),
    });
    this.#memory = createMemoryWatch({
      limitBytes: options.memoryBytes,
      onExceeded: (lane) => void lane.end(toTooHeavy()),
    });
  }

  get networkAttempts(): number {
    return this.#networkAttempts;
  }

  /** Rejects with `Timeout` or `Unavailable`, with the error of the task, or with the reason of the order's signal. */
  async run(order: WorkOrder): Promise<MediaWorkerAnswer> {
    for (;;) {
      if (this.#isClosed) throw this.#pool.toStopped();
      const lane = [...this.#pool.lanes].find(({ jobs }) => jobs.size === 0);
      if (lane === undefined) await this.#waitForLane();
      else if (order.signal.aborted) throw order.signal.reason;
      else return this.#assign(lane, order);
    }
  }

  /** Returns the reason when a thread cannot start. */
  async start(): Promise<string | undefined> {
    const failure = await this.#startLane().catch(toError);
    if (failure === undefined) return undefined;
    this.#startAgainAtMs = performance.now() + START_PAUSE_MS;
    return failure.message;
  }

  /** Rejects pending tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeAll();
    await this.#pool.close();
  }

  /** During the pause after a failed start, waits for one of the running threads. */
  async #waitForLane(): Promise<void> {
    const { lanes, toStopped } = this.#pool;
    if (lanes.size > 0 && performance.now() < this.#startAgainAtMs)
      return new Promise((resolve) => this.#waiting.push(resolve));
    const missing = await this.start();
    if (missing !== undefined && lanes.size === 0) throw toStopped(new Error(missing));
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The start counts as the first job of the thread, so it has a time limit. Returns the error of a failed start. */
  async #startLane(): Promise<Error | undefined> {
    this.#program ??= compileEngine(this.#options);
    const program = await this.#program;
    if (this.#isClosed) return this.#pool.toStopped();
    const { toStopped } = this.#pool;
    const lane = this.#pool.start({ program } satisfies MediaWorkerSettings);
    const toTimeout = () => toStopped(new Error('The thread of the media engine did not start in time.'));
    return new Promise((resolve) => {
      lane.add({
        release: limitJob(lane, { timeoutMs: START_LIMIT_MS, toTimeout }),
        fail: ({ cause }) =>
          resolve(
            cause === undefined ? new Error('The thread of the media engine ended at once.') : toError(cause),
          ),
        onMessage: (message) => {
          if (message.kind === 'unready') return void lane.end(toStopped(new Error(message.message)));
          lane.finish();
          this.#wakeAll();
          resolve(undefined);
        },
      });
    });
  }

  #assign(lane: MediaLane, { task, signal, hold, calls }: WorkOrder): Promise<MediaWorkerAnswer> {
    const { timeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      /** After a failed signature, the task fails with this error. */
      let unsigned: Error | undefined;
      const stopLimits = limitJob(lane, { signal, timeoutMs, toTimeout });
      const release = () => {
        stopLimits();
        this.#memory.end(lane);
      };
      const fail = (error: Error) => reject(unsigned ?? error);
      const onMessage = (message: FromWorker) => {
        if (message.kind === 'sign')
          void answerSignature(lane, message, calls).then((error) => {
            unsigned ??= error;
          });
        if (message.kind === 'written') calls?.written?.();
        if (message.kind !== 'done' && message.kind !== 'failed') return;
        lane.finish();
        this.#addLoad(lane, message.load, hold);
        if (message.kind === 'done') resolve(message.answer);
        else fail(toFailed(message));
      };
      this.#memory.begin(lane);
      lane.add({ fail, hold, release, onMessage });
      post(lane, { kind: 'run', task }, task.kind === 'find' ? [task.bytes.buffer] : []);
    });
  }

  /** Ends the thread when its engine failed or its memory exceeds `RETIRE_ABOVE_BYTES`. */
  #addLoad(lane: MediaLane, load: WorkerLoad, hold: Hold): void {
    this.#networkAttempts += load.networkAttempts;
    this.#options.times?.add(load.passes);
    if (load.isPoisoned || load.memoryBytes > RETIRE_ABOVE_BYTES) hold(lane.end(this.#pool.toStopped()));
    else this.#wakeAll();
  }
}

/** Returns the error of a failed signature. The thread receives only the message `unsigned`. */
async function answerSignature(
  lane: MediaLane,
  { by, payload, isDraft }: SignatureCall,
  calls: SignCalls | undefined,
): Promise<Error | undefined> {
  try {
    if (calls === undefined) throw new Error('The thread requested a signature in a task that signs nothing');
    post(lane, { kind: 'signed', signature: await calls.sign({ by, payload, isDraft }) });
    return undefined;
  } catch (error) {
    post(lane, { kind: 'unsigned' });
    return toError(error);
  }
}

function post(lane: MediaLane, message: ToWorker, moved: ArrayBuffer[] = []): void {
  lane.send(message, moved);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
