import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { createFreeBudget, type Place, type WorkBudget } from '../work-budget.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './worker/protocol.js';

/** Tasks that may wait; more are refused at once. */
const MAX_WAITING = 64;
const MAX_HEAP_MB = 256;
/** Texts that a thread describes in some milliseconds, and how many of them it may have at a time. */
const SMALL_TEXT_BYTES = 64 * 1024;
const MAX_SMALL_TEXTS = 8;

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
  place?: Place;
}

interface Lane {
  worker: Worker;
  /** What the thread has to do, in the order in which it answers. */
  jobs: Job[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * Threads that describe content, without environment; they start with the first work. Each has one task at a time, or
 * some small texts, so that it need not wait for this thread between them.
 */
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
      const idle = [...lanes].find(({ jobs }) => jobs.length === 0);
      if (idle === undefined && lanes.size >= options.threads) return;
      const place = budget.take(dispatch, MAX_HEAP_MB * 2 ** 20);
      if (place === undefined) return;
      assign(idle ?? openLane(), place);
    }
  }

  function assign(lane: Lane, place: Place): void {
    lane.jobs = takeNext(waiting, place, () => budget.take(dispatch, SMALL_TEXT_BYTES));
    if (lane.jobs.length === 0) return;
    lane.timer = setTimeout(() => drop(lane, toTimeout(options.timeoutMs)), options.timeoutMs);
    lane.worker.ref();
    for (const { task } of lane.jobs) lane.worker.postMessage(task);
  }

  function openLane(): Lane {
    const file = options.workerFile ?? createRequire(import.meta.url).resolve('#search-worker');
    const workerData: SearchWorkerData = { fpcalc: options.fpcalc };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    const worker = new Worker(file, { env: {}, workerData, resourceLimits });
    const lane: Lane = { worker, jobs: [], timer: undefined };
    lanes.add(lane);
    worker.on('message', (message: FromSearchWorker) => hear(lane, message));
    worker.on('error', (error) => drop(lane, toStopped(error)));
    worker.on('exit', () => drop(lane, toStopped()));
    return lane;
  }

  function hear(lane: Lane, message: FromSearchWorker): void {
    if (message.kind === 'ready') return;
    const job = lane.jobs.shift();
    if (job === undefined) return;
    if (lane.jobs.length === 0) {
      clearTimeout(lane.timer);
      lane.worker.unref();
    }
    job.place?.();
    if (message.kind === 'done') job.resolve(message.answer);
    else job.reject(toStopped(new Error(message.message)));
    dispatch();
  }

  function drop(lane: Lane, reason: Error): void {
    if (!lanes.delete(lane)) return;
    clearTimeout(lane.timer);
    const jobs = lane.jobs.splice(0);
    void lane.worker.terminate().finally(() => {
      for (const { place } of jobs) place?.();
    });
    for (const job of jobs) job.reject(reason);
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

/**
 * The next task, which has its place, and after a small text as many more of them as get places and a thread may have.
 */
function takeNext(waiting: Job[], place: Place, takePlace: () => Place | undefined): Job[] {
  const next = waiting.find(({ isPatient }) => !isPatient) ?? waiting[0];
  if (next === undefined) {
    place();
    return [];
  }
  const taken: Job[] = [];
  const take = (job: Job, itsPlace: Place) => {
    job.place = itsPlace;
    waiting.splice(waiting.indexOf(job), 1);
    taken.push(job);
  };
  take(next, place);
  for (const job of isSmallText(next) ? [...waiting] : []) {
    if (taken.length === MAX_SMALL_TEXTS) break;
    if (!isSmallText(job) || job.isPatient !== next.isPatient) continue;
    const itsPlace = takePlace();
    if (itsPlace === undefined) break;
    take(job, itsPlace);
  }
  return taken;
}

function isSmallText({ task }: Job): boolean {
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

function toBusy(): ServiceError {
  return new ServiceError('Unavailable', 'Matching has too much to do.');
}
