import {
  createThreadPool,
  END_GRACE_MS,
  IDLE_MS,
  type JobLimits,
  type Lane,
  limitJob,
  type ThreadJob,
  type ThreadPool,
  type ThreadPoolOptions,
} from './thread-pool.js';

export type ThreadRequest<Question> = Question & { id: number };

export type ThreadReply<Answer> = { id: number } & ({ answer: Answer } | { failure: string });

export interface ThreadClientOptions
  extends Pick<
    ThreadPoolOptions<ThreadJob, unknown>,
    'workerFile' | 'stopped' | 'silentMs' | 'idleMs' | 'maxHeapMb'
  > {
  /** Maximum number of questions that a thread has at a time. Other questions wait; projects take turns. */
  atOnce: number;
  /** Maximum number of threads; 1 by default. A further thread starts when each other thread has `atOnce` questions. */
  threads?: number;
}

/** Threads that answer questions. A question starts a thread if necessary, also after a thread has ended. */
export interface ThreadClient<Question, Answer> {
  /**
   * When `signal` aborts, the call rejects with the signal's reason. If `atOnce` is 1, the thread of a running question
   * ends; otherwise it continues, because it may have further questions. The buffers in `moved` move to the thread
   * without a copy. When `limit` is exceeded, the thread ends.
   */
  ask(projectId: string, question: Question, options?: AskOptions): Promise<Answer>;
  /** Ends the threads. All unanswered and all later questions reject with `Unavailable`. */
  close(): Promise<void>;
}

interface AskOptions {
  signal?: AbortSignal | undefined;
  moved?: ArrayBuffer[];
  /** Time limit of the question, from the moment at which the thread gets it. Use it only if `atOnce` is 1. */
  limit?: Pick<JobLimits, 'timeoutMs' | 'toTimeout'> | undefined;
}

interface Pending<Question, Answer> extends ThreadJob {
  question: Question;
  moved: ArrayBuffer[];
  limit: AskOptions['limit'];
  resolve(answer: Answer): void;
}

export function createThreadClient<Question extends object, Answer>({
  atOnce,
  threads = 1,
  ...options
}: ThreadClientOptions): ThreadClient<Question, Answer> {
  /** Waiting questions by project. The first project has the next turn. */
  const waiting = new Map<string, Pending<Question, Answer>[]>();
  let isClosed = false;
  const pool = createThreadPool<Pending<Question, Answer>, ThreadReply<Answer>>({
    silentMs: 60_000,
    idleMs: IDLE_MS,
    graceMs: END_GRACE_MS,
    ...options,
    onMessage(lane, message) {
      const pending = lane.finish(message.id);
      if ('answer' in message) pending?.resolve(message.answer);
      else pending?.fail(new Error(message.failure));
      sendNext();
    },
    onEnd: sendNext,
  });

  function sendNext(): void {
    for (const [projectId, [next, ...others]] of waiting) {
      const lane = findLane(pool, { atOnce, threads });
      if (lane === undefined) return;
      // The project moves to the end of the map, so this loop reaches it again.
      waiting.delete(projectId);
      if (others.length > 0) waiting.set(projectId, others);
      if (next === undefined) continue;
      startLimit(lane, next);
      lane.send({ ...next.question, id: lane.add(next) }, next.moved);
    }
  }

  function withdraw(projectId: string, pending: Pending<Question, Answer>, reason: Error): void {
    const others = (waiting.get(projectId) ?? []).filter((one) => one !== pending);
    if (others.length === 0) waiting.delete(projectId);
    else waiting.set(projectId, others);
    const lane = [...pool.lanes].find(({ jobs }) => [...jobs.values()].includes(pending));
    if (lane !== undefined && atOnce === 1) void lane.end(reason);
    else pending.fail(reason);
  }

  return {
    ask: (projectId, question, { signal, moved = [], limit } = {}) =>
      new Promise((resolve, fail) => {
        if (signal?.aborted) return fail(signal.reason);
        if (isClosed) return fail(pool.toStopped());
        const leave = () => withdraw(projectId, pending, signal?.reason);
        const release = () => signal?.removeEventListener('abort', leave);
        const pending: Pending<Question, Answer> = { question, moved, limit, resolve, fail, release };
        signal?.addEventListener('abort', leave, { once: true });
        waiting.set(projectId, [...(waiting.get(projectId) ?? []), pending]);
        sendNext();
      }),
    async close() {
      isClosed = true;
      const left = [...waiting.values()].flat();
      waiting.clear();
      for (const { fail, release } of left) {
        release?.();
        fail(pool.toStopped());
      }
      await pool.close();
    },
  };
}

/** Returns undefined when all threads are busy. */
function findLane<Job extends ThreadJob>(
  { lanes, start }: ThreadPool<Job>,
  { atOnce, threads }: { atOnce: number; threads: number },
): Lane<Job> | undefined {
  const free = [...lanes].find(({ jobs }) => jobs.size < atOnce);
  return free ?? (lanes.size < threads ? start() : undefined);
}

function startLimit(
  lane: Lane<ThreadJob>,
  pending: Pick<Pending<unknown, unknown>, 'limit' | 'release'>,
): void {
  const { limit, release } = pending;
  if (limit === undefined) return;
  const stop = limitJob(lane, limit);
  pending.release = () => {
    stop();
    release?.();
  };
}
