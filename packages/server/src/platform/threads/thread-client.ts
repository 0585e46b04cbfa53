import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import { createIdleTimer, IDLE_MS, type IdleTimer } from './idle-timer.js';
import { createSilenceWatch, type SilenceWatch } from './silence-watch.js';

/** A question as the thread gets it. */
export type ThreadRequest<Question> = Question & { id: number };

/** The answer of the thread, or why there is none. */
export type ThreadReply<Answer> = { id: number } & ({ answer: Answer } | { failure: string });

export interface ThreadClientOptions {
  /** The program of the thread. */
  workerFile: string;
  /** The message when the thread ended before it answered. */
  stopped: string;
  /** Questions that the thread has at a time; the others wait, in turns by project. */
  atOnce: number;
  /** A thread that answers nothing for so long is ended. */
  silentMs?: number;
  /** A thread that is asked nothing for so long is ended. */
  idleMs?: number;
  maxHeapMb?: number;
}

/** A thread that answers questions. It is started with the first question, and again after it ended. */
export interface ThreadClient<Question, Answer> {
  /** Rejects with `Unavailable` when the thread ends before it answers. */
  ask(projectId: string, question: Question): Promise<Answer>;
  close(): Promise<void>;
}

interface Pending<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

interface Lane<Question, Answer> {
  worker: Worker;
  watch: SilenceWatch;
  idling: IdleTimer;
  asked: Map<number, Pending<Question, Answer>>;
}

/** Starts nothing yet. */
export function createThreadClient<Question extends object, Answer>(
  options: ThreadClientOptions,
): ThreadClient<Question, Answer> {
  const { workerFile, stopped, atOnce, silentMs = 60_000, idleMs = IDLE_MS, maxHeapMb } = options;
  /** The questions of each project that wait; the project at the front has the next turn. */
  const waiting = new Map<string, Pending<Question, Answer>[]>();
  let current: Lane<Question, Answer> | undefined;
  let lastId = 0;
  const toStopped = (cause?: Error) => new ServiceError('Unavailable', stopped, { cause });

  function startLane(): Lane<Question, Answer> {
    const resourceLimits = maxHeapMb === undefined ? {} : { maxOldGenerationSizeMb: maxHeapMb };
    const worker = new Worker(workerFile, { env: {}, resourceLimits });
    const end = (cause?: Error) => {
      if (current === lane) current = undefined;
      watch.end();
      idling.busy();
      for (const { reject } of lane.asked.values()) reject(toStopped(cause));
      lane.asked.clear();
      askNext();
    };
    const hang = () => {
      end(new Error(`The thread was silent for ${silentMs} ms.`));
      void worker.terminate();
    };
    const watch = createSilenceWatch(silentMs, hang);
    const idling = createIdleTimer(idleMs, () => {
      if (current === lane) current = undefined;
      void worker.terminate();
    });
    const lane: Lane<Question, Answer> = { worker, watch, idling, asked: new Map() };
    worker.on('message', (message: ThreadReply<Answer>) => hear(lane, message));
    worker.on('error', end);
    worker.on('exit', () => end());
    return lane;
  }

  function hear(lane: Lane<Question, Answer>, message: ThreadReply<Answer>): void {
    const pending = lane.asked.get(message.id);
    if (pending === undefined) return;
    lane.watch.answered();
    lane.asked.delete(message.id);
    if ('answer' in message) pending.resolve(message.answer);
    else pending.reject(new Error(message.failure));
    askNext();
    if (lane.asked.size > 0) return;
    lane.worker.unref();
    lane.idling.idle();
  }

  /** Sends waiting questions to the thread while it has room for more. */
  function askNext(): void {
    while ((current?.asked.size ?? 0) < atOnce) {
      const [front] = waiting;
      if (front === undefined) return;
      const [projectId, [next, ...others]] = front;
      waiting.delete(projectId);
      if (others.length > 0) waiting.set(projectId, others);
      if (next !== undefined) put(next);
    }
  }

  function put(pending: Pending<Question, Answer>): void {
    current ??= startLane();
    const { worker, watch, idling, asked } = current;
    lastId += 1;
    asked.set(lastId, pending);
    idling.busy();
    worker.ref();
    watch.asked();
    worker.postMessage({ id: lastId, ...pending.question } satisfies ThreadRequest<Question>);
  }

  return {
    ask: (projectId, question) =>
      new Promise((resolve, reject) => {
        waiting.set(projectId, [...(waiting.get(projectId) ?? []), { question, resolve, reject }]);
        askNext();
      }),
    async close() {
      const left = [...waiting.values()].flat();
      waiting.clear();
      for (const { reject } of left) reject(toStopped());
      await current?.worker.terminate();
    },
  };
}
