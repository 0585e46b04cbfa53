import { setTimeout as sleep } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import { createSilenceWatch } from './silence-watch.js';

/** Usual value of `idleMs`. An idle thread occupies tens of megabytes, and a new one starts quickly. */
export const IDLE_MS = 30_000;

/** Maximum of the heap for new objects of a thread. With V8's default, 48 MB, the threads together use 100 MB more. */
const MAX_YOUNG_HEAP_MB = 6;

/** Usual value of `graceMs`. Native code can delay the end of a thread. */
export const END_GRACE_MS = 250;

export interface ThreadJob {
  /** Called when the thread ends before it has finished the job. */
  fail(error: Error): void;
  /** Stops the timer and the abort listener of the job. Called once, when the job is finished or its thread ends. */
  release?(): void;
  /** Keeps the slot of the job until its thread has ended, since native code can run longer than the job. */
  hold?(ended: Promise<unknown>): void;
}

/** A thread and its jobs. A thread without jobs does not keep the process alive. */
export interface Lane<Job extends ThreadJob> {
  /** Unfinished jobs by id, oldest first. */
  readonly jobs: ReadonlyMap<number, Job>;
  add(job: Job): number;
  /** Releases and removes a job, and returns it. Without an id, takes the oldest job. */
  finish(id?: number): Job | undefined;
  /** Sends a message. In a pool with `silentMs`, the thread must answer each message that is sent by `send`. */
  send(message: unknown, moved?: ArrayBuffer[]): void;
  /** Sends a message that the thread does not answer. */
  notify(message: unknown): void;
  /** Ends the thread. The oldest job fails with `reason`, the others with `Unavailable`. Resolves after the end. */
  end(reason: Error): Promise<void>;
}

export interface ThreadPoolOptions<Job extends ThreadJob, Message> {
  workerFile: string;
  maxHeapMb?: number;
  /** Message of the `Unavailable` error when a thread ends before it finishes a job. */
  stopped: string;
  /** The pool ends a thread that has an unanswered message and sends nothing for this time. Absent: no limit. */
  silentMs?: number;
  /** A thread without jobs ends after this time. Absent: never. */
  idleMs?: number;
  /** Maximum wait for the end of a thread before its jobs fail. Absent: they fail immediately. */
  graceMs?: number;
  onMessage(lane: Lane<Job>, message: Message): void;
  /** Called when a thread is removed from the pool. `ended` resolves when the thread has ended. */
  onEnd?(ended: Promise<unknown>): void;
}

/** Threads without environment variables. The user of the pool starts them and assigns the jobs. */
export interface ThreadPool<Job extends ThreadJob> {
  readonly lanes: ReadonlySet<Lane<Job>>;
  start(workerData?: unknown): Lane<Job>;
  toStopped(cause?: unknown): ServiceError;
  close(): Promise<void>;
}

export function createThreadPool<Job extends ThreadJob, Message>(
  options: ThreadPoolOptions<Job, Message>,
): ThreadPool<Job> {
  const lanes = new Set<Lane<Job>>();
  const toStopped = (cause?: unknown) => new ServiceError('Unavailable', options.stopped, { cause });
  return {
    lanes,
    toStopped,
    start: (workerData) => startLane({ ...options, workerData }, lanes, toStopped),
    async close() {
      await Promise.all([...lanes].map((lane) => lane.end(toStopped())));
    },
  };
}

/** `maxHeapMb` limits the heap for older objects. */
export function limitHeap(maxHeapMb?: number): ResourceLimits {
  const young = { maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MB };
  return maxHeapMb === undefined ? young : { ...young, maxOldGenerationSizeMb: maxHeapMb };
}

function startLane<Job extends ThreadJob, Message>(
  options: ThreadPoolOptions<Job, Message> & { workerData: unknown },
  lanes: Set<Lane<Job>>,
  toStopped: ThreadPool<Job>['toStopped'],
): Lane<Job> {
  const { workerFile, workerData, maxHeapMb, silentMs, idleMs, graceMs } = options;
  const worker = new Worker(workerFile, { env: {}, workerData, resourceLimits: limitHeap(maxHeapMb) });
  const jobs = new Map<number, Job>();
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const stop = (cause?: Error) => void lane.end(toStopped(cause));
  const stopSilent = () => stop(new Error(`The thread was silent for ${silentMs} ms.`));
  const watch = silentMs === undefined ? undefined : createSilenceWatch(silentMs, stopSilent);

  const lane: Lane<Job> = {
    jobs,
    add(job) {
      lastId += 1;
      jobs.set(lastId, job);
      clearTimeout(idleTimer);
      worker.ref();
      return lastId;
    },
    finish(id = [...jobs.keys()][0] ?? 0) {
      const job = jobs.get(id);
      job?.release?.();
      if (!jobs.delete(id) || jobs.size > 0) return job;
      worker.unref();
      if (idleMs !== undefined) idleTimer = setTimeout(stop, idleMs).unref();
      return job;
    },
    send(message, moved) {
      watch?.asked();
      worker.postMessage(message, moved);
    },
    notify: (message) => worker.postMessage(message),
    async end(reason) {
      if (!lanes.delete(lane)) return;
      watch?.end();
      clearTimeout(idleTimer);
      const ended = worker.terminate();
      const failed = [...jobs.values()];
      jobs.clear();
      releaseAll(failed, ended);
      options.onEnd?.(ended);
      if (graceMs !== undefined) await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      for (const [index, job] of failed.entries()) job.fail(index === 0 ? reason : toStopped(reason));
      await ended;
    },
  };
  lanes.add(lane);
  worker.on('message', (message: Message) => {
    if (!lanes.has(lane)) return;
    watch?.answered();
    options.onMessage(lane, message);
  });
  worker.on('error', stop);
  worker.on('exit', () => stop());
  return lane;
}

function releaseAll(jobs: readonly ThreadJob[], ended: Promise<unknown>): void {
  for (const job of jobs) {
    job.release?.();
    job.hold?.(ended);
  }
}

export interface JobLimits {
  signal?: AbortSignal;
  timeoutMs: number;
  toTimeout(timeoutMs: number): Error;
  /** Called when the signal aborts. By default, the thread ends. */
  onAbort?(): void;
}

/** Ends the thread of a job that exceeds its time or is aborted. Returns the `release` function of the job. */
export function limitJob(lane: Pick<Lane<ThreadJob>, 'end'>, limits: JobLimits): () => void {
  const { signal, timeoutMs, toTimeout } = limits;
  const { onAbort = () => void lane.end(signal?.reason) } = limits;
  const timer = setTimeout(() => void lane.end(toTimeout(timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}
