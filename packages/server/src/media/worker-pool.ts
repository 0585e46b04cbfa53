import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createIdleTimer, IDLE_MS, type IdleTimer } from '../platform/threads/idle-timer.js';
import type { Hold } from '../platform/work/scheduler.js';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.js';
import type { PassTimes } from './pass-times.js';
import { toFailed, toStopped, toTimeout, toTooHeavy } from './pool-refusals.js';
import { compileEngine, startWorker, type WorkerProgram } from './start-worker.js';
import type {
  FromWorker,
  MediaWorkerAnswer,
  SignatureCall,
  ToWorker,
  WorkerLoad,
  WorkerTask,
} from './worker/protocol.js';

/** How long the living threads go on alone after another could not be started. */
const START_PAUSE_MS = 5_000;
/** Compiled code's memory never shrinks: a thread that holds more than this after a task is replaced. */
const RETIRE_ABOVE_BYTES = 96 * 1024 * 1024;
/** How long a task waits for its thread's end before it is rejected. */
const END_GRACE_MS = 250;

export interface PoolOptions extends WorkerProgram {
  timeoutMs: number;
  times?: PassTimes;
  /** How much memory the process may take while one task runs, in bytes. */
  memoryBytes: number;
  /** How long a thread without work lives on. */
  idleMs?: number;
}

/** What a thread asks of this one, and tells it, while it signs. */
export interface SignCalls {
  /** Signs here: keys never leave this thread. */
  sign(call: SignatureCall): Promise<Uint8Array>;
  /** The signed file lies on disk, not verified yet. */
  written: (() => void) | undefined;
}

/** A task, its place, and what signs for it. */
export interface WorkOrder {
  task: WorkerTask;
  /** Ends the task, and its thread. */
  signal: AbortSignal;
  /** Keeps the task's place until its thread has ended. */
  hold: Hold;
  calls?: SignCalls;
}

interface MediaJob extends WorkOrder {
  /** Why there is no signature: the task fails with it once its thread is done. */
  unsigned?: Error;
  resolve(answer: MediaWorkerAnswer): void;
  reject(error: Error): void;
  /** Listens for the abort no longer. */
  release(): void;
}

interface MediaLane {
  worker: Worker;
  idling: IdleTimer;
  job?: MediaJob | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Threads that do one task at a time, as many as there are tasks: a scheduler says how many those are. Threads are
 * ended when a task exceeds its time or is given up, when they hold much memory, when the engine in them failed, and
 * when they have no work for a while.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #lanes = new Set<MediaLane>();
  readonly #idle: MediaLane[] = [];
  /** Tasks that wait for one of the living threads, after another could not be started. */
  readonly #wanting: (() => void)[] = [];
  readonly #memory: MemoryWatch<MediaLane>;
  #program: Promise<WebAssembly.Module> | undefined;
  #startAgainAtMs = 0;
  #networkAttempts = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#memory = createMemoryWatch({
      limitBytes: options.memoryBytes,
      onExceeded: (lane) => void this.#drop(lane, toTooHeavy()),
    });
  }

  /** Attempts of the threads' code to reach the network. */
  get networkAttempts(): number {
    return this.#networkAttempts;
  }

  /** Rejects with `Timeout` or `Unavailable`, as `MediaEngine` says, and with what the task itself fails with. */
  async run(order: WorkOrder): Promise<MediaWorkerAnswer> {
    const { signal } = order;
    const lane = await this.#findLane();
    if (signal.aborted) {
      this.#makeIdle(lane);
      throw signal.reason;
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => void this.#drop(lane, signal.reason);
      const release = () => signal.removeEventListener('abort', giveUp);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#assign(lane, { ...order, resolve, reject, release });
    });
  }

  /** Starts one thread before it is needed; gives the reason when none can be. */
  async start(): Promise<string | undefined> {
    try {
      this.#program ??= compileEngine(this.#options);
      const worker = await startWorker(this.#options, await this.#program);
      if (this.#isClosed) await worker.terminate();
      else this.#add(worker);
      return undefined;
    } catch (error) {
      this.#startAgainAtMs = performance.now() + START_PAUSE_MS;
      return toError(error).message;
    }
  }

  /** Ends the threads; tasks under way are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeAll();
    await Promise.all([...this.#lanes].map((lane) => this.#drop(lane, toStopped())));
  }

  /** An idle thread, one that is started, or where none can be started the next one that becomes idle. */
  async #findLane(): Promise<MediaLane> {
    for (;;) {
      if (this.#isClosed) throw toStopped();
      const lane = this.#idle.pop();
      lane?.idling.busy();
      if (lane !== undefined) return lane;
      const isPaused = this.#lanes.size > 0 && performance.now() < this.#startAgainAtMs;
      const missing = isPaused ? undefined : await this.start();
      if (missing !== undefined && this.#lanes.size === 0) throw toStopped(new Error(missing));
      if (isPaused) await new Promise<void>((resolve) => this.#wanting.push(resolve));
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wanting.splice(0)) wake();
  }

  #add(worker: Worker): void {
    const { idleMs = IDLE_MS } = this.#options;
    const lane: MediaLane = {
      worker,
      idling: createIdleTimer(idleMs, () => void this.#drop(lane, toStopped())),
    };
    this.#lanes.add(lane);
    worker.on('message', (message: FromWorker) => this.#hear(lane, message));
    worker.on('error', (error) => void this.#drop(lane, toStopped(error)));
    worker.on('exit', () => void this.#drop(lane, toStopped()));
    worker.unref();
    this.#makeIdle(lane);
  }

  #assign(lane: MediaLane, job: MediaJob): void {
    const { timeoutMs } = this.#options;
    lane.job = job;
    this.#memory.begin(lane);
    lane.timer = setTimeout(() => void this.#drop(lane, toTimeout(timeoutMs)), timeoutMs);
    lane.worker.ref();
    post(lane, { kind: 'run', task: job.task });
  }

  #hear(lane: MediaLane, message: FromWorker): void {
    const { job } = lane;
    if (message.kind === 'sign') void answerSignature(lane, message);
    if (message.kind === 'written') job?.calls?.written?.();
    if (message.kind !== 'done' && message.kind !== 'failed') return;
    this.#release(lane, message.load);
    if (message.kind === 'done') job?.resolve(message.answer);
    else job?.reject(job.unsigned ?? toFailed(message));
  }

  #release(lane: MediaLane, load: WorkerLoad): void {
    const { job } = lane;
    clearTimeout(lane.timer);
    this.#memory.end(lane);
    job?.release();
    lane.job = undefined;
    this.#networkAttempts += load.networkAttempts;
    this.#options.times?.add(load.passes);
    if (load.isPoisoned || load.memoryBytes > RETIRE_ABOVE_BYTES) {
      job?.hold(this.#drop(lane, toStopped()));
      return;
    }
    lane.worker.unref();
    this.#makeIdle(lane);
  }

  #makeIdle(lane: MediaLane): void {
    this.#idle.push(lane);
    lane.idling.idle();
    this.#wakeAll();
  }

  /** Ends a thread, and its task with `reason`. Native code may run on for a while, but opens no file any more. */
  async #drop(lane: MediaLane, reason: Error): Promise<void> {
    if (!this.#lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    this.#memory.end(lane);
    if (this.#idle.includes(lane)) this.#idle.splice(this.#idle.indexOf(lane), 1);
    const ended = lane.worker.terminate();
    lane.job?.release();
    lane.job?.hold(ended);
    await Promise.race([ended, sleep(END_GRACE_MS, undefined, { ref: false })]);
    lane.job?.reject(lane.job.unsigned ?? reason);
    await ended;
    this.#wakeAll();
  }
}

/** A signature that fails ends the task with that failure; the thread learns only that there is none. */
async function answerSignature(lane: MediaLane, { by, payload, isDraft }: SignatureCall): Promise<void> {
  const { job } = lane;
  try {
    if (job?.calls === undefined) throw new Error('A signature was asked for in a task that signs nothing');
    post(lane, { kind: 'signed', signature: await job.calls.sign({ by, payload, isDraft }) });
  } catch (error) {
    if (job !== undefined) job.unsigned = toError(error);
    post(lane, { kind: 'unsigned' });
  }
}

function post(lane: MediaLane, message: ToWorker): void {
  lane.worker.postMessage(message);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
