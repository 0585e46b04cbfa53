import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { createFreeBudget, type Place, type WorkBudget } from '../work-budget.js';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.js';
import type { PassTimes } from './pass-times.js';
import { toBusy, toStopped, toTimeout, toTooHeavy } from './pool-refusals.js';
import { compileEngine, startWorker, type WorkerProgram } from './start-worker.js';
import { TurnQueue } from './turn-queue.js';
import type {
  FromWorker,
  SignatureCall,
  ToWorker,
  WorkerAnswer,
  WorkerLoad,
  WorkerTask,
} from './worker/protocol.js';

/** Tasks that may wait for each thread; more are refused at once. */
const QUEUE_PER_THREAD = 32;
/** Of those, tasks of one tenant. */
const QUEUE_PER_THREAD_AND_TENANT = 8;
/** How long a task waits for a thread. */
const MAX_WAIT_MS = 10_000;
/** How long the living threads go on alone after another could not be started. */
const START_PAUSE_MS = 5_000;
/** Compiled code's memory never shrinks: a thread that holds more than this after a task is replaced. */
const RETIRE_ABOVE_BYTES = 256 * 1024 * 1024;
/** How long a task waits for its thread's end before it is rejected. */
const END_GRACE_MS = 250;

export interface PoolOptions extends WorkerProgram {
  threads: number;
  timeoutMs: number;
  times?: PassTimes;
  /** How much memory the process may take while one task runs, in bytes. */
  memoryBytes: number;
  /** What all threads may take together; any number of tasks when absent. */
  budget?: WorkBudget;
  /** How long a task waits for a thread; 10 s when absent. */
  maxWaitMs?: number;
}

/** What a thread asks of this one, and tells it, while it signs. */
export interface SignCalls {
  /** Signs here: keys never leave this thread. */
  sign(call: SignatureCall): Promise<Uint8Array>;
  /** The signed file lies on disk, not verified yet. */
  written: (() => void) | undefined;
}

/** A task, whose it is, and what signs for it. */
export interface WorkOrder {
  task: WorkerTask;
  tenant?: string | undefined;
  /** What it may take while it runs, in bytes. */
  memoryBytes?: number;
  calls?: SignCalls;
}

interface Job extends WorkOrder {
  waiting?: NodeJS.Timeout;
  queuedMs: number;
  resolve(answer: WorkerAnswer): void;
  reject(error: Error): void;
}

interface Lane {
  worker: Worker;
  job?: Job | undefined;
  place?: Place | undefined;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Threads that do one task at a time. They are started when there is work for them, at most `threads`, and ended
 * when a task exceeds its time, when they hold much memory, and when the engine in them failed.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #lanes = new Set<Lane>();
  readonly #idle: Lane[] = [];
  readonly #queue = new TurnQueue<Job>();
  readonly #memory: MemoryWatch<Lane>;
  readonly #budget: WorkBudget;
  readonly #again = () => this.#dispatch();
  #program: Promise<WebAssembly.Module> | undefined;
  #starting = 0;
  #startAgainAtMs = 0;
  #networkAttempts = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#budget = options.budget ?? createFreeBudget();
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
  run(order: WorkOrder): Promise<WorkerAnswer> {
    const { threads, maxWaitMs = MAX_WAIT_MS } = this.#options;
    const { tenant = '' } = order;
    if (this.#isClosed) return Promise.reject(toStopped());
    const isFull = this.#queue.size >= threads * QUEUE_PER_THREAD;
    if (isFull || this.#queue.sizeOf(tenant) >= threads * QUEUE_PER_THREAD_AND_TENANT)
      return Promise.reject(toBusy());
    return new Promise((resolve, reject) => {
      const job: Job = { ...order, queuedMs: performance.now(), resolve, reject };
      job.waiting = setTimeout(() => {
        this.#queue.remove(tenant, job);
        reject(toBusy());
      }, maxWaitMs);
      this.#queue.push(tenant, job);
      this.#dispatch();
    });
  }

  /** Starts one thread before it is needed; gives the reason when none can be. */
  async start(): Promise<string | undefined> {
    this.#starting += 1;
    try {
      this.#program ??= compileEngine(this.#options);
      const worker = await startWorker(this.#options, await this.#program);
      if (this.#isClosed) await worker.terminate();
      else this.#add(worker);
      return undefined;
    } catch (error) {
      this.#startAgainAtMs = performance.now() + START_PAUSE_MS;
      if (this.#lanes.size === 0) this.#rejectWaiting(toStopped(error));
      return toError(error).message;
    } finally {
      this.#starting -= 1;
      this.#dispatch();
    }
  }

  /** Ends the threads; tasks under way and waiting are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectWaiting(toStopped());
    await Promise.all([...this.#lanes].map((lane) => this.#drop(lane, toStopped())));
  }

  #rejectWaiting(reason: Error): void {
    for (const job of this.#queue.drain()) {
      clearTimeout(job.waiting);
      job.reject(reason);
    }
  }

  #dispatch(): void {
    while (this.#queue.size > 0 && this.#idle.length > 0) {
      const place = this.#budget.take(this.#again, this.#queue.peek()?.memoryBytes ?? 0);
      if (place === undefined) return;
      const [lane, job] = [this.#idle.pop(), this.#queue.take()];
      if (lane === undefined || job === undefined) place();
      else this.#assign(Object.assign(lane, { place }), job);
    }
    const isRoom = this.#lanes.size + this.#starting < this.#options.threads;
    const isPaused = this.#lanes.size > 0 && performance.now() < this.#startAgainAtMs;
    if (isRoom && !isPaused && this.#queue.size > this.#starting) void this.start();
  }

  #add(worker: Worker): void {
    const lane: Lane = { worker };
    this.#lanes.add(lane);
    worker.on('message', (message: FromWorker) => this.#hear(lane, message));
    worker.on('error', (error) => void this.#drop(lane, toStopped(error)));
    worker.on('exit', () => void this.#drop(lane, toStopped()));
    worker.unref();
    this.#idle.push(lane);
  }

  #assign(lane: Lane, job: Job): void {
    const { timeoutMs, times } = this.#options;
    clearTimeout(job.waiting);
    times?.add(new Map([['queue', { count: 1, ms: performance.now() - job.queuedMs }]]));
    lane.job = job;
    this.#memory.begin(lane);
    lane.timer = setTimeout(() => void this.#drop(lane, toTimeout(timeoutMs)), timeoutMs);
    lane.worker.ref();
    post(lane, { kind: 'run', task: job.task });
  }

  #hear(lane: Lane, message: FromWorker): void {
    const { job } = lane;
    if (message.kind === 'sign') void answerSignature(lane, message);
    if (message.kind === 'written') job?.calls?.written?.();
    if (message.kind !== 'done' && message.kind !== 'failed') return;
    this.#release(lane, message.load);
    if (message.kind === 'done') job?.resolve(message.answer);
    else job?.reject(toServiceError(message));
  }

  #release(lane: Lane, load: WorkerLoad): void {
    clearTimeout(lane.timer);
    this.#memory.end(lane);
    lane.job = undefined;
    lane.place?.();
    this.#networkAttempts += load.networkAttempts;
    this.#options.times?.add(load.passes);
    if (load.isPoisoned || load.memoryBytes > RETIRE_ABOVE_BYTES) void this.#drop(lane, toStopped());
    else {
      lane.worker.unref();
      this.#idle.push(lane);
      this.#dispatch();
    }
  }

  /** Ends a thread, and its task with `reason`. Native code may run on for a while, but opens no file any more. */
  async #drop(lane: Lane, reason: Error): Promise<void> {
    if (!this.#lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    this.#memory.end(lane);
    if (this.#idle.includes(lane)) this.#idle.splice(this.#idle.indexOf(lane), 1);
    const ended = lane.worker.terminate();
    await Promise.race([ended, sleep(END_GRACE_MS, undefined, { ref: false })]);
    lane.job?.reject(reason);
    await ended;
    lane.place?.();
    this.#dispatch();
  }
}

/** A signature that fails ends the task with that failure; the thread learns only that there is none. */
async function answerSignature(lane: Lane, { by, payload, isDraft }: SignatureCall): Promise<void> {
  const { job } = lane;
  try {
    if (job?.calls === undefined) throw new Error('A signature was asked for in a task that signs nothing');
    post(lane, { kind: 'signed', signature: await job.calls.sign({ by, payload, isDraft }) });
  } catch (error) {
    job?.reject(toError(error));
    post(lane, { kind: 'unsigned' });
  }
}

function post(lane: Lane, message: ToWorker): void {
  lane.worker.postMessage(message);
}

function toServiceError({ code, message, details }: FromWorker & { kind: 'failed' }): ServiceError {
  if (code === 'Internal')
    return new ServiceError('Unavailable', 'The media engine failed on this file.', {
      recovery: 'The file may be damaged in a way that nothing reads; try another copy of it.',
      cause: new Error(message),
    });
  return new ServiceError(code, message, { details });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
