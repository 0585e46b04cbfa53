import {
  createThreadPool,
  END_GRACE_MS,
  IDLE_MS,
  type ThreadJob,
  type ThreadPoolOptions,
} from './thread-pool.js';

export type ThreadRequest<Question> = Question & { id: number };

/** The answer of the thread, or the reason why it has none. */
export type ThreadReply<Answer> = { id: number } & ({ answer: Answer } | { failure: string });

export interface ThreadClientOptions
  extends Pick<
    ThreadPoolOptions<ThreadJob, unknown>,
    'workerFile' | 'stopped' | 'silentMs' | 'idleMs' | 'maxHeapMb'
  > {
  /** Questions that the thread has at a time. The others wait in a fair queue by project. */
  atOnce: number;
}

/** A thread that answers questions. It starts with the first question, and again after it has ended. */
export interface ThreadClient<Question, Answer> {
  /** Rejects with `Unavailable` when the thread ends before it answers. */
  ask(projectId: string, question: Question): Promise<Answer>;
  close(): Promise<void>;
}

interface Pending<Question, Answer> extends ThreadJob {
  question: Question;
  resolve(answer: Answer): void;
}

/** Creates the client without starting a thread. */
export function createThreadClient<Question extends object, Answer>({
  atOnce,
  ...options
}: ThreadClientOptions): ThreadClient<Question, Answer> {
  /** Waiting questions by project. The project at the front has the next turn. */
  const waiting = new Map<string, Pending<Question, Answer>[]>();
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

  /** Sends waiting questions to the thread while it has room for more. */
  function sendNext(): void {
    for (const [projectId, [next, ...others]] of waiting) {
      const [lane = pool.start()] = pool.lanes;
      if (lane.jobs.size >= atOnce) return;
      // The project moves to the back, where this loop finds it again.
      waiting.delete(projectId);
      if (others.length > 0) waiting.set(projectId, others);
      if (next !== undefined) lane.send({ ...next.question, id: lane.add(next) });
    }
  }

  return {
    ask: (projectId, question) =>
      new Promise((resolve, fail) => {
        waiting.set(projectId, [...(waiting.get(projectId) ?? []), { question, resolve, fail }]);
        sendNext();
      }),
    async close() {
      const left = [...waiting.values()].flat();
      waiting.clear();
      for (const { fail } of left) fail(pool.toStopped());
      await pool.close();
    },
  };
}
