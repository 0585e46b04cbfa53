import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createSilenceWatch } from '../../silence-watch.js';
import { toDatabaseError, toOutage } from '../database.js';
import type { WorkerAnswer, WorkerCall, WorkerSettings, WorkerState } from './protocol.js';

type CallBody = WorkerCall extends infer Call ? (Call extends WorkerCall ? Omit<Call, 'id'> : never) : never;

/** After a crash it reads the write-ahead log again, which may be a gigabyte. */
const START_LIMIT_MS = 600_000;
const STOPPED = 'The embedded database has stopped.';

/** A running thread of the engine. */
export interface WorkerLink {
  /** Calls are answered in their order. Rejects with `Unavailable` when the thread ends before it answers. */
  call(body: CallBody): Promise<unknown[]>;
  isDown(): boolean;
  /** Ends the thread, whatever it is at. */
  terminate(): void;
  /** Resolves when the thread is gone, with why it went. */
  readonly ended: Promise<Error>;
}

interface Waiter {
  kind: WorkerCall['kind'];
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/**
 * Starts the thread; rejects, with the thread gone, when it cannot open the database. A thread that is silent for
 * `silentMs` while a query waits is ended: whatever it is at, nobody could use the database meanwhile.
 */
export async function startWorker(settings: WorkerSettings, silentMs: number): Promise<WorkerLink> {
  const entry = createRequire(import.meta.url).resolve('#pglite-worker');
  const worker = new Worker(entry, { workerData: settings });
  const state = await readFirst(worker);
  if (!state.ready) {
    await worker.terminate();
    throw new Error(`The embedded database cannot be opened: ${state.message}`);
  }
  return createLink(worker, silentMs);
}

function readFirst(worker: Worker): Promise<WorkerState> {
  return new Promise((resolve, reject) => {
    const tooLong = () => resolve({ ready: false, message: `not within ${START_LIMIT_MS} ms` });
    const timer = setTimeout(tooLong, START_LIMIT_MS);
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
  const waiting = new Map<number, Waiter>();
  let nextId = 1;
  let reason: Error | undefined;

  const stop = (why: Error) => {
    reason ??= why;
    watch.end();
    for (const { reject } of waiting.values()) reject(toOutage(STOPPED, reason));
    waiting.clear();
  };
  const watch = createSilenceWatch(silentMs, () => {
    stop(new Error(`The embedded database did not answer for ${silentMs} ms.`));
    void worker.terminate();
  });
  worker.on('error', stop);
  worker.on('message', (message: WorkerAnswer | WorkerState) => {
    if ('ready' in message) {
      if (!message.ready) stop(new Error(`The embedded database stopped: ${message.message}`));
      return;
    }
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiter?.kind !== 'exec') watch.answered();
    if ('rows' in message) waiter?.resolve(message.rows);
    else waiter?.reject(toError(message.failure));
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', (code) => {
      const why = new Error(`The thread of the embedded database ended (exit code ${code}).`);
      stop(why);
      resolve(reason ?? why);
    });
  });

  return {
    call(body) {
      if (reason !== undefined) return Promise.reject(toOutage(STOPPED, reason));
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { kind: body.kind, resolve, reject });
        // Scripts take as long as they take: migrations.
        if (body.kind !== 'exec') watch.asked();
        worker.postMessage({ ...body, id });
      });
    },
    isDown: () => reason !== undefined,
    terminate: () => void worker.terminate(),
    ended,
  };
}

function toError(failure: { message: string; sqlState: string | undefined; constraint: string | undefined }) {
  if (failure.sqlState === undefined) return new Error(failure.message);
  return toDatabaseError(failure.message, { sqlState: failure.sqlState, constraint: failure.constraint });
}
