import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import type { PassTimes } from './pass-times.js';
import { compileEngine, startWorker, type WorkerProgram } from './start-worker.js';
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
/** Compiled code's memory never shrinks: a thread that holds more than this after a task is replaced. */
const RETIRE_ABOVE_BYTES = 256 * 1024 * 1024;
/** How long a task waits for its thread's end before it is rejected. */
const END_GRACE_MS = 250;

export interface PoolOptions extends WorkerProgram {
  threads: number;
  timeoutMs: number;
  times?: PassTimes;
}

/** What a thread asks of this one, and tells it, while it signs. */
export interface SignCalls {
  /** Signs a claim here: keys never leave this thread. */
  sign(call: SignatureCall): Promise<Uint8Array>;
  /** The signed file lies on disk, not verified yet. */
  written: (() => void) | undefined;
}

interface Job {
  task: WorkerTask;
  calls: SignCalls | undefined;
  queuedMs: number;
  resolve(answer: WorkerAnswer): void;
  reject(error: Error): void;
}

interface Lane {
  worker: Worker;
  job?: Job | undefined;
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
  readonly #queue: Job[] = [];
  #program: Promise<WebAssembly.Module> | undefined;
  #starting = 0;
  #networkAttempts = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Attempts of the threads' code to reach the network. */
  get networkAttempts(): number {
    return this.#networkAttempts;
  }

  /** Rejects with `Timeout` or `Unavailable`, as `MediaEngine` says, and with what the task itself fails with. */
  run(task: WorkerTask, calls?: SignCalls): Promise<WorkerAnswer> {
    if (this.#isClosed) return Promise.reject(toStopped());
    if (this.#queue.length >= this.#options.threads * QUEUE_PER_THREAD) return Promise.reject(toBusy());
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, calls, queuedMs: performance.now(), resolve, reject });
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
      if (this.#lanes.size === 0) for (const job of this.#queue.splice(0)) job.reject(toStopped(error));
      return toError(error).message;
    } finally {
      this.#starting -= 1;
      this.#dispatch();
    }
  }

  /** Ends the threads; tasks under way and waiting are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.splice(0)) job.reject(toStopped());
    await Promise.all([...this.#lanes].map((lane) => this.#drop(lane, toStopped())));
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const [lane, job] = [this.#idle.pop(), this.#queue.shift()];
      if (lane !== undefined && job !== undefined) this.#assign(lane, job);
    }
    const isRoom = this.#lanes.size + this.#starting < this.#options.threads;
    if (isRoom && this.#queue.length > this.#starting) void this.start();
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
    times?.add(new Map([['queue', { count: 1, ms: performance.now() - job.queuedMs }]]));
    lane.job = job;
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
    lane.job = undefined;
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
    if (this.#idle.includes(lane)) this.#idle.splice(this.#idle.indexOf(lane), 1);
    const ended = lane.worker.terminate();
    await Promise.race([ended, sleep(END_GRACE_MS, undefined, { ref: false })]);
    lane.job?.reject(reason);
    await ended;
    this.#dispatch();
  }
}

/** A signature that fails ends the task with that failure; the thread learns only that there is none. */
async function answerSignature(lane: Lane, { claim, isDraft }: SignatureCall): Promise<void> {
  const { job } = lane;
  try {
    if (job?.calls === undefined) throw new Error('A signature was asked for in a task that signs nothing');
    post(lane, { kind: 'signed', signature: await job.calls.sign({ claim, isDraft }) });
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

function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The media file was not processed within ${timeoutMs} ms.`, {
    status: 504,
    recovery: 'Send a smaller or simpler file, or have the operator raise the limit.',
  });
}

function toStopped(cause?: unknown): ServiceError {
  return new ServiceError('Unavailable', 'The media engine stopped before it was done with this file.', {
    cause,
  });
}

function toBusy(): ServiceError {
  return new ServiceError('Unavailable', 'The media engine has too much to do.');
}
