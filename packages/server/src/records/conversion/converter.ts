import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import type { Scheduler } from '../../work/scheduler.js';
import { type Conversion, convert, type FromConversionThread, type ToConversionThread } from './convert.js';

/** Larger histories would hold up the main thread for more than some milliseconds. */
const INLINE_CHARACTERS = 2 ** 18;
/** Of the thread: a history of 32 MiB is a few times as much in memory. */
const MAX_HEAP_MB = 512;

/** Converts histories, large ones in a thread of its own. */
export interface Converter {
  /** The history's JSON text as another JSON text. Rejects with `Unavailable` when the thread ends. */
  convert(to: Conversion, text: string): Promise<string>;
  /** Histories that were converted in the thread, since the start. */
  readonly counts: { inThread: number };
  close(): Promise<void>;
}

/** Converts a history; a large one waits for its turn, so that projects share the thread. */
export async function convertHistory(
  { converter, scheduler }: { converter: Converter; scheduler: Scheduler },
  projectId: string,
  { to, text, signal }: { to: Conversion; text: string; signal: AbortSignal },
): Promise<string> {
  if (text.length <= INLINE_CHARACTERS) return converter.convert(to, text);
  return scheduler.run({ projectId, kind: 'history', signal }, () => converter.convert(to, text));
}

type Waiting = Map<number, { resolve(text: string): void; reject(error: Error): void }>;

/** The thread is started with the first large history, and again after it ended. */
export function createConverter(): Converter {
  const counts = { inThread: 0 };
  let current: { worker: Worker; waiting: Waiting } | undefined;

  function startThread(): { worker: Worker; waiting: Waiting } {
    const file = createRequire(import.meta.url).resolve('#conversion-worker');
    const worker = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    const thread = { worker, waiting: new Map() as Waiting };
    const end = (cause?: Error) => {
      if (current === thread) current = undefined;
      for (const { reject } of thread.waiting.values()) reject(toStopped(cause));
      thread.waiting.clear();
    };
    worker.on('message', (answer: FromConversionThread) => {
      const asker = thread.waiting.get(answer.id);
      thread.waiting.delete(answer.id);
      if (thread.waiting.size === 0) worker.unref();
      if ('text' in answer) asker?.resolve(Buffer.from(answer.text).toString());
      else asker?.reject(new Error(answer.failure));
    });
    worker.on('error', end);
    worker.on('exit', () => end());
    return thread;
  }

  return {
    counts,
    async convert(to, text) {
      if (text.length <= INLINE_CHARACTERS) return convert(to, text);
      counts.inThread += 1;
      const id = counts.inThread;
      current ??= startThread();
      const { worker, waiting } = current;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, to, text: Buffer.from(text) } satisfies ToConversionThread);
      });
    },
    async close() {
      await current?.worker.terminate();
    },
  };
}

function toStopped(cause: unknown): ServiceError {
  return new ServiceError('Unavailable', 'The conversion of this history stopped before it was done.', {
    cause,
  });
}
