/** A message of a worker about its one request. */
export type FromWorker<Answer> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; answer: Answer }
  | { kind: 'failed'; message: string };

/** The abort signal, the progress callback and the timeout of a request. */
export interface WorkerTerms {
  signal: AbortSignal;
  onProgress?: (share: number) => void;
  timeoutMs?: number;
}

/** Sends one request to a worker and ends the worker. */
export function askWorker<Answer>(
  worker: Worker,
  question: unknown,
  { signal, onProgress, timeoutMs }: WorkerTerms,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Answer>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
    if (timeoutMs !== undefined) timer = setTimeout(() => reject(new Error('It took too long.')), timeoutMs);
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

/** Answers the one request of the page, inside a worker. */
export function answerPage<Question, Answer>(
  work: (question: Question, onProgress: (share: number) => void) => Promise<Answer>,
): void {
  const tell = (message: FromWorker<Answer>) => self.postMessage(message);
  self.onmessage = ({ data }: MessageEvent<Question>) => {
    work(data, (share) => tell({ kind: 'progress', share })).then(
      (answer) => tell({ kind: 'done', answer }),
      (error) => tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  };
}
