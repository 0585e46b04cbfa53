export type FromWorker<Answer> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; answer: Answer }
  | { kind: 'failed'; message: string };

export interface WorkerTerms {
  signal: AbortSignal;
  onProgress?: (share: number) => void;
  timeoutMs?: number;
}

/** Ends the worker after the result, an error, the time limit or an abort. */
export function askWorker<Answer>(
  worker: Worker,
  question: unknown,
  { signal, onProgress, timeoutMs }: WorkerTerms,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
    if (timeoutMs !== undefined) timer = setTimeout(() => reject(new Error('Worker timed out.')), timeoutMs);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<FromWorker<Answer>>) => {
      if (data.kind === 'progress') onProgress?.(data.share);
      else if (data.kind === 'done') resolve(data.answer);
      else reject(new Error(data.message));
    };
    worker.postMessage(question);
  }).finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

/** Runs inside a worker. */
export function answerPage<Question, Answer>(
  work: (question: Question, onProgress: (share: number) => void) => Promise<Answer>,
): void {
  const send = (message: FromWorker<Answer>) => self.postMessage(message);
  self.onmessage = ({ data }: MessageEvent<Question>) => {
    work(data, (share) => send({ kind: 'progress', share })).then(
      (answer) => send({ kind: 'done', answer }),
      (error) => send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  };
}
