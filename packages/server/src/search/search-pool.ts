import { createRequire } from 'node:module';
import { ServiceError } from '../errors.js';
import { createThreadPool, IDLE_MS, limitJob, type ThreadJob } from '../platform/threads/thread-pool.js';
import type { Hold } from '../platform/work/scheduler.js';
import type { Kind } from './descriptor.js';
import type { NeuralModel } from './neural/neural-model.js';
import { createSearchLanes, isSmallText, usesModel } from './search-lanes.js';
import type { FromSearchWorker, SearchAnswer, SearchTask, SearchWorkerData } from './worker/protocol.js';

const MAX_HEAP_MB = 256;

/** Factor of the time limit for a watermark task, which encodes the file and reads it again, or loads a model. */
const MARKING_TIMES = 6;
/**
 * Factor of the time limit for a sound, a PDF or a video. A program reads them, and it can wait for a processor. Also the
 * factor for a description that is stored, because a job does not repeat it after a timeout.
 */
const LONG_TIMES = 3;
const READ_BY_PROGRAMS: ReadonlySet<Kind> = new Set(['audio', 'pdf', 'video']);
/** Factor of the time limit for a task with an ISCC, so that the ISCC leaves enough time for the descriptor. */
const CODING_TIMES = 2;

export interface SearchPoolOptions {
  timeoutMs: number;
  /** The program that computes audio fingerprints. */
  fpcalc?: string | undefined;
  /** The program that reads the text of PDFs. */
  pdftotext?: string | undefined;
  maxPictureBytes: number;
  /** The model that adds the watermarks of pictures. */
  watermarkModel?: NeuralModel | undefined;
  /** The pool ends a thread that is idle for this time. */
  idleMs?: number;
  /** The script that the threads run; by default, the built script. */
  workerFile?: string;
}

export interface SearchContext {
  /** Ends the task when it aborts. Also ends the thread, except the thread that small texts share. */
  signal: AbortSignal;
  /**
   * Keeps the slot of the scheduler occupied after `run` has settled. If the thread of the task ends, the slot stays
   * occupied until this end. After an abort on the shared thread, which continues, the slot stays occupied until the
   * thread has finished the task.
   */
  hold: Hold;
  /** Buffers of the task that the thread takes without a copy. The caller must not use them afterwards. */
  moved?: ArrayBuffer[];
}

interface SearchJob extends ThreadJob {
  resolve(answer: SearchAnswer): void;
}

/**
 * Threads that describe and compare content, write and read watermarks, and draw thumbnails. They have no environment
 * variables, and start with the first work. A scheduler limits the number of tasks. Each task has its own thread,
 * except small texts. They share one thread, which processes them in order without waiting for the main thread between
 * two texts. Tasks with the model for watermarks run in separate threads. If several of these threads have no task, the
 * pool keeps only one.
 */
export interface SearchPool {
  /** Rejects with `Timeout` when the task takes too long, and with the signal's reason when it is aborted. */
  run(task: SearchTask, slot: SearchContext): Promise<SearchAnswer>;
  /** Ends the threads and rejects pending tasks. */
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
      // Occupies the slot until the thread has ended, because the slot counts the memory of the model.
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
          // The thread continues, because other texts need it and this text ends soon.
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

/** Factors of the time limit to read a mark. */
const READING_TIMES: Readonly<Record<string, number>> = {
  frames: MARKING_TIMES,
  samples: LONG_TIMES,
  sound: LONG_TIMES,
};

/** Returns the factor of the time limit. A task with the model may have to load it. */
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
