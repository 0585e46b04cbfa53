/** What a thread of the browser says about the one thing that it was asked. */
export type FromWorker<Answer> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; answer: Answer }
  | { kind: 'failed'; message: string };

/** When a question is given up, and who hears how far it has come. */
export interface WorkerTerms {
  signal: AbortSignal;
  onProgress?: (share: number) => void;
  timeoutMs?: number;
}

/** Asks a thread one thing and ends it. */
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

/** Answers, in a thread, the one thing that is asked of it. */
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
