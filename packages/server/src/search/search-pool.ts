import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { createFreeBudget, type Place, type WorkBudget } from '../work-budget.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './worker/protocol.js';

/** Tasks that may wait; more are refused at once. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;

export interface SearchPoolOptions {
  threads: number;
  /** How long one task may take, from its start on. */
  timeoutMs: number;
  /** The program that makes fingerprints of sound. */
  fpcalc?: string | undefined;
  /** What all threads may take together; any number of tasks when absent. */
  budget?: WorkBudget;
  /** The program of the threads; the built one when absent. */
  workerFile?: string;
}

/** How a task waits. */
export interface SearchTerms {
  /** A task that nobody waits for any more is not begun. */
  signal?: AbortSignal;
  /** Every task that somebody waits for goes before. */
  isPatient?: true;
}

interface Job {
  task: SearchTask;
  isPatient: boolean;
  resolve(answer: SearchAnswer): void;
  reject(error: Error): void;
}

interface Lane {
  worker: Worker;
  job: Job | undefined;
  place: Place | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** Threads that describe content, one task at a time each, without environment; they start with the first work. */
export interface SearchPool {
  /** Rejects with `Timeout` when the task takes too long, with `Unavailable` when there is too much to do. */
  run(task: SearchTask, terms?: SearchTerms): Promise<SearchAnswer>;
  /** Ends the threads and rejects what is under way. */
  close(): Promise<void>;
}

/** Starts nothing yet. */
export function createSearchPool(options: SearchPoolOptions): SearchPool {
  const { budget = createFreeBudget() } = options;
  const lanes = new Set<Lane>();
  const waiting: Job[] = [];
  let closed = false;

  function dispatch(): void {
    while (waiting.length > 0 && !closed) {
      const idle = [...lanes].find(({ job }) => job === undefined);
      if (idle === undefined && lanes.size >= options.threads) return;
      const place = budget.take(dispatch, MAX_HEAP_MB * 2 ** 20);
      if (place === undefined) return;
      assign(idle ?? openLane(), place);
    }
  }

  function assign(lane: Lane, place: Place): void {
    const [job] = waiting.splice(
      Math.max(
        0,
        waiting.findIndex(({ isPatient }) => !isPatient),
      ),
      1,
    );
    if (job === undefined) {
      place();
      return;
    }
    Object.assign(lane, { job, place });
    lane.timer = setTimeout(() => drop(lane, toTimeout(options.timeoutMs)), options.timeoutMs);
    lane.worker.ref();
    lane.worker.postMessage(job.task);
  }

  function openLane(): Lane {
    const file = options.workerFile ?? createRequire(import.meta.url).resolve('#search-worker');
    const workerData: SearchWorkerData = { fpcalc: options.fpcalc };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    const worker = new Worker(file, { env: {}, workerData, resourceLimits });
    const lane: Lane = { worker, job: undefined, place: undefined, timer: undefined };
    lanes.add(lane);
    worker.on('message', (message: FromSearchWorker) => hear(lane, message));
    worker.on('error', (error) => drop(lane, toStopped(error)));
    worker.on('exit', () => drop(lane, toStopped()));
    return lane;
  }

  function hear(lane: Lane, message: FromSearchWorker): void {
    const { job } = lane;
    if (message.kind === 'ready' || job === undefined) return;
    clearTimeout(lane.timer);
    lane.job = undefined;
    lane.worker.unref();
    lane.place?.();
    if (message.kind === 'done') job.resolve(message.answer);
    else job.reject(toStopped(new Error(message.message)));
    dispatch();
  }

  function drop(lane: Lane, reason: Error): void {
    if (!lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    void lane.worker.terminate().finally(() => lane.place?.());
    lane.job?.reject(reason);
    dispatch();
  }

  function giveUp(job: Job): void {
    const at = waiting.indexOf(job);
    if (at === -1) return;
    waiting.splice(at, 1);
    job.reject(toStopped());
  }

  return {
    run(task, { signal, isPatient = false } = {}) {
      if (closed || signal?.aborted) return Promise.reject(toStopped());
      if (waiting.length >= MAX_WAITING) return Promise.reject(toBusy());
      return new Promise((resolve, reject) => {
        const job = { task, isPatient, resolve, reject };
        waiting.push(job);
        signal?.addEventListener('abort', () => giveUp(job), { once: true });
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(toStopped());
      const ending = [...lanes].map(({ worker }) => worker.terminate());
      for (const lane of lanes) drop(lane, toStopped());
      await Promise.all(ending);
    },
  };
}

function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The content was not described within ${timeoutMs} ms.`, {
    status: 504,
  });
}

function toStopped(cause?: unknown): ServiceError {
  return new ServiceError('Unavailable', 'Matching stopped before it was done with this content.', { cause });
}

function toBusy(): ServiceError {
  return new ServiceError('Unavailable', 'Matching has too much to do.');
}
