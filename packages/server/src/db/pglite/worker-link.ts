import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createSilenceWatch } from '../../silence-watch.js';
import { toDatabaseError, toOutage } from '../database.js';
import type {
  Failure,
  ResultRows,
  ResultShape,
  WorkerAnswer,
  WorkerCall,
  WorkerSettings,
  WorkerState,
} from './protocol.js';

/** After a crash it reads the write-ahead log again, which may be a gigabyte. */
const LONGEST_START_MS = 600_000;
const STOPPED = 'The embedded database has stopped.';

/** A running thread of the engine. */
export interface WorkerLink {
  /** Calls are answered in their order. They reject with `Unavailable` when the thread ends before it answers. */
  query(text: string, parameters: readonly unknown[]): Promise<unknown[]>;
  exec(text: string): Promise<void>;
  close(): Promise<void>;
  isDown(): boolean;
  /** Ends the thread, whatever it is at. */
  terminate(): void;
  /** Resolves when the thread is gone, with why it went. */
  readonly ended: Promise<Error>;
}

interface Waiter {
  kind: WorkerCall['kind'];
  statement: number;
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** Each keeps a plan in the engine's memory. */
const MAX_STATEMENTS = 500;
/** The thread has work while an answer is on its way; what is called meanwhile goes together. */
const BATCHES_UNDER_WAY = 2;

/**
 * Starts the thread; rejects, with the thread gone, when it has not opened the database within `startMs`. A thread
 * that is silent for `silentMs` while a query waits is ended: whatever it is at, nobody could use the database meanwhile.
 */
export async function startWorker(
  settings: WorkerSettings,
  { silentMs, startMs = LONGEST_START_MS }: { silentMs: number; startMs?: number },
): Promise<WorkerLink> {
  const entry = createRequire(import.meta.url).resolve('#pglite-worker');
  const worker = new Worker(entry, { workerData: settings });
  const state = await readFirst(worker, Math.min(startMs, LONGEST_START_MS));
  if (!state.ready) {
    await worker.terminate();
    throw new Error(`The embedded database cannot be opened: ${state.message}`);
  }
  return createLink(worker, silentMs);
}

function readFirst(worker: Worker, limitMs: number): Promise<WorkerState> {
  return new Promise((resolve, reject) => {
    const tooLong = () => resolve({ ready: false, message: `not within ${limitMs} ms` });
    const timer = setTimeout(tooLong, limitMs);
    worker.once('message', (state: WorkerState) => {
      clearTimeout(timer);
      resolve(state);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The embedded database ended at once (exit code ${code}).`));
    });
  });
}

function createLink(worker: Worker, silentMs: number): WorkerLink {
  const lines = createLines(worker);
  let reason: Error | undefined;

  const stop = (why: Error) => {
    reason ??= why;
    watch.end();
    for (const { reject } of lines.clear()) reject(toOutage(STOPPED, reason));
  };
  const watch = createSilenceWatch(silentMs, () => {
    stop(new Error(`The embedded database did not answer for ${silentMs} ms.`));
    void worker.terminate();
  });
  const statements = createStatements();
  worker.on('error', stop);
  worker.on('message', (message: readonly WorkerAnswer[] | WorkerState) => {
    if ('ready' in message) {
      if (!message.ready) stop(new Error(`The embedded database stopped: ${message.message}`));
      return;
    }
    for (const { waiter, answer } of lines.take(message)) {
      if (waiter.kind !== 'exec') watch.answered();
      if ('failure' in answer) waiter.reject(toError(answer.failure));
      else waiter.resolve(statements.toRows(waiter.statement, answer));
    }
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', (code) => {
      const why = new Error(`The thread of the embedded database ended (exit code ${code}).`);
      stop(why);
      resolve(reason ?? why);
    });
  });
  const call = (one: WorkerCall): Promise<unknown[]> => {
    if (reason !== undefined) return Promise.reject(toOutage(STOPPED, reason));
    return new Promise((resolve, reject) => {
      // Scripts take as long as they take: migrations.
      if (one.kind !== 'exec') watch.asked();
      const statement = one.kind === 'query' ? one.statement : 0;
      lines.add(one, { kind: one.kind, statement, resolve, reject });
    });
  };

  return {
    query: (text, parameters) => call({ kind: 'query', ...statements.find(text), parameters }),
    exec: async (text) => void (await call({ kind: 'exec', text })),
    close: async () => void (await call({ kind: 'close' })),
    isDown: () => reason !== undefined,
    terminate: () => void worker.terminate(),
    ended,
  };
}

/** Calls on their way to the thread, in batches, and who waits for their answers, in the same order. */
function createLines(worker: Worker) {
  let waiting: Waiter[] = [];
  let unsent: WorkerCall[] = [];
  /** Calls without an answer, of each batch that was sent. */
  const batches: number[] = [];

  const send = () => {
    if (unsent.length === 0 || batches.length >= BATCHES_UNDER_WAY) return;
    batches.push(unsent.length);
    worker.postMessage(unsent);
    unsent = [];
  };
  const noteAnswers = (count: number) => {
    const [open = 0] = batches;
    if (open > count) batches[0] = open - count;
    else batches.shift();
  };

  return {
    add(call: WorkerCall, waiter: Waiter) {
      waiting.push(waiter);
      unsent.push(call);
      // Those of one tick go together.
      if (unsent.length === 1) queueMicrotask(send);
    },
    /** Those who waited for the answers; a message has answers of one batch alone. */
    take(answers: readonly WorkerAnswer[]) {
      const pairs = answers.flatMap((answer, place) => {
        const waiter = waiting[place];
        return waiter === undefined ? [] : [{ waiter, answer }];
      });
      waiting = waiting.slice(answers.length);
      noteAnswers(answers.length);
      send();
      return pairs;
    },
    clear(): readonly Waiter[] {
      const left = waiting;
      waiting = [];
      unsent = [];
      return left;
    },
  };
}

/** The statements that the thread keeps prepared, by their text. */
function createStatements() {
  const numbers = new Map<string, number>();
  const shapes = new Map<number, ResultShape>();
  return {
    /** The text goes along once: calls are read in their order. Number 0 is not kept. */
    find(text: string): { statement: number; text: string | undefined } {
      const known = numbers.get(text);
      if (known !== undefined) return { statement: known, text: undefined };
      if (numbers.size >= MAX_STATEMENTS) return { statement: 0, text };
      numbers.set(text, numbers.size + 1);
      return { statement: numbers.size, text };
    },
    toRows(statement: number, { rowCount, values, shape }: ResultRows): unknown[] {
      if (shape !== undefined) shapes.set(statement, shape);
      return toObjects({ rowCount, values }, shape ?? shapes.get(statement));
    },
  };
}

function toObjects({ rowCount, values }: ResultRows, shape: ResultShape | undefined): unknown[] {
  const { names, json } = shape ?? { names: [], json: [] };
  const width = names.length;
  return Array.from({ length: rowCount }, (_, row) => {
    const object: Record<string, unknown> = {};
    for (let column = 0; column < width; column++) object[names[column] ?? ''] = values[row * width + column];
    for (const column of json) {
      const name = names[column] ?? '';
      const text = object[name];
      if (typeof text === 'string') object[name] = JSON.parse(text);
    }
    return object;
  });
}

function toError(failure: Failure) {
  if (failure.sqlState === undefined) return new Error(failure.message);
  return toDatabaseError(failure.message, { sqlState: failure.sqlState, constraint: failure.constraint });
}
