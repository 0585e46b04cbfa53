import { createRequire } from 'node:module';
import { ServiceError } from '../errors.js';
import { createThreadPool, IDLE_MS, limitJob, type ThreadJob } from '../platform/threads/thread-pool.js';
import type { Hold } from '../platform/work/scheduler.js';
import type { Kind } from './descriptor.js';
import type { NeuralModel } from './neural/neural-model.js';
import { createSearchLanes, isSmallText, usesModel } from './search-lanes.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './worker/protocol.js';

const MAX_HEAP_MB = 256;

/** Factor of the time limit for a watermark task, which encodes and reads a file, or loads a model. */
const MARKING_TIMES = 6;
/**
 * Factor of the time limit for files that a program reads, because the program can wait for a processor. The factor
 * also applies to a stored description, because a job does not repeat it after a timeout.
 */
const LONG_TIMES = 3;
const READ_BY_PROGRAMS: ReadonlySet<Kind> = new Set(['audio', 'pdf', 'video']);
/** Factor for a task with an ISCC, so that enough time is left for the descriptor. */
const CODING_TIMES = 2;

export interface SearchPoolOptions {
  timeoutMs: number;
  fpcalc?: string | undefined;
  pdftotext?: string | undefined;
  maxPictureBytes: number;
  watermarkModel?: NeuralModel | undefined;
  idleMs?: number;
  workerFile?: string;
}

export interface SearchContext {
  /** Ends the task and its thread, except the thread that small texts share. */
  signal: AbortSignal;
  /**
   * Keeps the slot of the scheduler occupied after `run` has settled: until the thread has ended, or until a shared
   * thread has finished an aborted task.
   */
  hold: Hold;
  /** Buffers that the thread takes without a copy. The caller must not use them afterwards. */
  moved?: ArrayBuffer[];
}

interface SearchJob extends ThreadJob {
  resolve(answer: SearchAnswer): void;
}

/**
 * Threads for expensive work on content. They have no environment variables, and start with the first work. Each task
 * has its own thread, except small texts, which share one. If several threads with the model are idle, only one stays.
 */
export interface SearchPool {
  /** Rejects with `Timeout` when the task takes too long, and with the signal's reason when it is aborted. */
  run(task: SearchTask, slot: SearchContext): Promise<SearchAnswer>;
  close(): Promise<void>;
}

export function createSearchPool(options: SearchPoolOptions): SearchPool {
  const { timeoutMs, fpcalc, pdftotext, maxPictureBytes, watermarkModel, idleMs = IDLE_MS } = options;
  const { workerFile = createRequire(import.meta.url).resolve('#search-worker') } = options;
  const pool = createThreadPool<SearchJob, FromSearchWorker>({
    workerFile,
    maxHeapMb: MAX_HEAP_MB,
    stopped: 'The search worker stopped before it finished this content.',
    idleMs,
    onMessage(lane, message) {
      if (message.kind === 'ready') return;
      const job = lane.finish();
      // Keeps the slot until the thread has ended, because the slot counts the memory of the model.
      if (lanes.isSurplus(lane)) job?.hold?.(lane.end(pool.toStopped()));
      if (message.kind === 'done') job?.resolve(message.answer);
      else job?.fail(pool.toStopped(new Error(message.message)));
    },
  });
  const hasModel = watermarkModel !== undefined;
  let isClosed = false;
  const data: SearchWorkerData = { fpcalc, pdftotext, maxPictureBytes, watermarkModel };
  const startLane = () => pool.start(data);
  const lanes = createSearchLanes(pool, startLane, hasModel);

  return {
    run(task, { signal, hold, moved }) {
      if (isClosed) return Promise.reject(pool.toStopped());
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, fail) => {
        const isSmall = isSmallText(task);
        const lane = lanes.find(task);
        let free = () => {};
        const released = new Promise<void>((done) => {
          free = done;
        });
        const leaveShared = () => {
          // The thread continues, because other texts need it.
          hold(released);
          fail(signal.reason);
        };
        const stopLimits = limitJob(lane, {
          signal,
          timeoutMs: timeoutMs * timesOf(task, hasModel),
          toTimeout,
          ...(isSmall && { onAbort: leaveShared }),
        });
        const release = () => {
          stopLimits();
          free();
        };
        lane.add({ resolve, fail, hold, release });
        lane.send(task, moved);
      });
    },
    async close() {
      isClosed = true;
      await pool.close();
    },
  };
}

const READING_TIMES: Readonly<Record<string, number>> = {
  frames: MARKING_TIMES,
  samples: LONG_TIMES,
  sound: LONG_TIMES,
};

function timesOf(task: SearchTask, hasModel: boolean): number {
  if (hasModel && usesModel(task)) return MARKING_TIMES;
  if (task.kind === 'mark' || task.kind === 'drawMark') return MARKING_TIMES;
  if (task.kind === 'readMark') return READING_TIMES[task.as] ?? 1;
  if (task.kind !== 'describe' || isSmallText(task)) return 1;
  if (task.iscc === 'bytes') return CODING_TIMES;
  const isLong = READ_BY_PROGRAMS.has(task.as) || task.isOnlyStored === true;
  return (isLong ? LONG_TIMES : 1) * (task.iscc === undefined ? 1 : CODING_TIMES);
}

function toTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('Timeout', `The content was not processed within ${timeoutMs} ms.`, {
    status: 504,
  });
}
