import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { createIdleTimer, IDLE_MS, type IdleTimer } from '../platform/threads/idle-timer.js';
import type { Hold } from '../platform/work/scheduler.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './worker/protocol.js';

const MAX_HEAP_MB = 256;
/** Texts of at most this size are described in some milliseconds, and share one thread. */
export const SMALL_TEXT_BYTES = 64 * 1024;

export interface SearchPoolOptions {
  /** How long one task may take, from its start on. */
  timeoutMs: number;
  /** The program that makes fingerprints of sound. */
  fpcalc?: string | undefined;
  /** Memory that decoding a picture may take. */
  maxPictureBytes: number;
  /** How long a thread without work lives on. */
  idleMs?: number;
  /** The program of the threads; the built one when absent. */
  workerFile?: string;
}

/** The place of a task, as a scheduler gave it. */
export interface SearchContext {
  /** Ends the task, and its thread where no other task shares it. */
  signal: AbortSignal;
  /** Keeps the place until the task's thread has ended. */
  hold: Hold;
}

interface SearchJob {
  resolve(answer: SearchAnswer): void;
  reject(error: Error): void;
  hold: Hold;
  /** Stops waiting for its time and for its abort. */
  release(): void;
}

interface SearchLane {
  worker: Worker;
  idling: IdleTimer;
  /** Whether small texts share it. */
  isShared: boolean;
  /** What the thread has to do, in the order in which it answers. */
  jobs: SearchJob[];
}

/**
 * Threads that describe content, without environment; they start with the first work. A scheduler says how many tasks
 * there are: each has a thread of its own, but for small texts, which share one, so that it need not wait for this
 * thread between them.
 */
export interface SearchPool {
  /** Rejects with `Timeout` when the task takes too long, with the signal's reason when it is given up. */
  run(task: SearchTask, place: SearchContext): Promise<SearchAnswer>;
  /** Ends the threads and rejects what is under way. */
  close(): Promise<void>;
}

/** Starts nothing yet. */
export function createSearchPool(options: SearchPoolOptions): SearchPool {
  const { timeoutMs, fpcalc, maxPictureBytes, idleMs = IDLE_MS, workerFile } = options;
  const lanes = new Set<SearchLane>();
  let closed = false;

  function laneFor(task: SearchTask): SearchLane {
    const isShared = isSmallText(task);
    const found = [...lanes].find(
      (lane) => lane.isShared === isShared && (isShared || lane.jobs.length === 0),
    );
    return found ?? openLane(isShared);
  }

  function openLane(isShared: boolean): SearchLane {
    const file = workerFile ?? createRequire(import.meta.url).resolve('#search-worker');
    const workerData: SearchWorkerData = { fpcalc, maxPictureBytes };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    const worker = new Worker(file, { env: {}, workerData, resourceLimits });
    const idling = createIdleTimer(idleMs, () => void drop(lane, toStopped()));
    const lane: SearchLane = { worker, idling, isShared, jobs: [] };
    lanes.add(lane);
    worker.on('message', (message: FromSearchWorker) => hear(lane, message));
    worker.on('error', (error) => void drop(lane, toStopped(error)));
    worker.on('exit', () => void drop(lane, toStopped()));
    return lane;
  }

  function hear(lane: SearchLane, message: FromSearchWorker): void {
    if (message.kind === 'ready') return;
    const job = lane.jobs.shift();
    if (lane.jobs.length === 0) {
      lane.worker.unref();
      lane.idling.idle();
    }
    job?.release();
    if (message.kind === 'done') job?.resolve(message.answer);
    else job?.reject(toStopped(new Error(message.message)));
  }

  /**
   * Ends a thread, and the task that it works at with `reason`: those behind it in a shared thread are not at fault. The
   * places are kept meanwhile: native code may run on.
   */
  function drop(lane: SearchLane, reason: Error): Promise<unknown> {
    if (!lanes.delete(lane)) return Promise.resolve();
    const ended = lane.worker.terminate();
    for (const [place, job] of lane.jobs.splice(0).entries()) {
      job.release();
      job.hold(ended);
      job.reject(place === 0 ? reason : toStopped(reason));
    }
    return ended;
  }

  return {
    run(task, { signal, hold }) {
      if (closed) return Promise.reject(toStopped());
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const lane = laneFor(task);
        let free = () => {};
        const answered = new Promise<void>((done) => {
          free = done;
        });
        const giveUp = () => {
          if (!lane.isShared) return void drop(lane, signal.reason);
          // The others of a shared thread need it, and its task ends soon.
          hold(answered);
          reject(signal.reason);
        };
        const timer = setTimeout(() => void drop(lane, toTimeout(timeoutMs)), timeoutMs);
        const release = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          free();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        lane.jobs.push({ resolve, reject, hold, release });
        lane.worker.ref();
        lane.idling.busy();
        lane.worker.postMessage(task);
      });
    },
    async close() {
      closed = true;
      await Promise.all([...lanes].map((lane) => drop(lane, toStopped())));
    },
  };
}

/** Whether a task is one of those that share a thread. */
export function isSmallText(task: SearchTask): boolean {
  return task.kind === 'describe' && task.as === 'text' && task.bytes.length <= SMALL_TEXT_BYTES;
}

function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The content was not described within ${timeoutMs} ms.`, {
    status: 504,
  });
}

function toStopped(cause?: unknown): ServiceError {
  return new ServiceError('Unavailable', 'Matching stopped before it was done with this content.', { cause });
}
