import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { createSilenceWatch } from '../../threads/silence-watch.js';
import { ownerOf, type TransactionOptions, toOutage } from '../database.js';
import { createCallQueue, type EngineCall } from './call-queue.js';
import type { EngineWorkerSettings, TimedAnswer, WorkerState } from './protocol.js';

/** Longest time limit of a start. After a crash, a start reads the write-ahead log, which may contain a gigabyte. */
const LONGEST_START_MS = 600_000;
const STOPPED = 'The embedded database has stopped.';

/** A running thread of the engine. Its calls reject with `Unavailable` if the thread ends before it answers. */
export interface WorkerLink {
  /** Owners (`ownerOf`) take turns. A call that still waits when `signal` aborts does not run. */
  query(text: string, parameters: readonly unknown[], signal?: AbortSignal): Promise<unknown[]>;
  /** Begins a transaction when it is the project's turn. All other calls wait until the transaction ends. */
  begin(options?: TransactionOptions): Promise<OpenTransaction>;
  /** Rejects new calls, except those of an open transaction. Waits for earlier calls, then closes the database. */
  close(): Promise<void>;
  isDown(): boolean;
  terminate(): void;
  /** Resolves to the reason when the thread has ended. */
  readonly ended: Promise<Error>;
}

export interface OpenTransaction {
  query(text: string, parameters: readonly unknown[]): Promise<unknown[]>;
  exec(text: string): Promise<void>;
  /** Commits or rolls back. Later calls reject. */
  finish(text: 'commit' | 'rollback'): Promise<void>;
  /** Releases the session for other calls. Call it after `finish`. */
  end(): void;
}

/**
 * Rejects if the database is not open within `startMs`. Later, ends the thread if it has an unanswered call and sends
 * nothing for `silentMs`.
 */
export async function startWorker(
  settings: EngineWorkerSettings,
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
  const queue = createCallQueue(worker, {
    // Scripts are migrations, which have no time limit.
    sent: ({ isScript }) => isScript || watch.asked(),
    answered: ({ isScript }) => isScript || watch.answered(),
  });
  let reason: Error | undefined;
  let isClosing = false;

  const stop = (why: Error) => {
    reason ??= why;
    watch.end();
    for (const { reject } of queue.clear()) reject(toOutage(STOPPED, reason));
  };
  const watch = createSilenceWatch(silentMs, () => {
    stop(new Error(`The embedded database did not answer for ${silentMs} ms.`));
    void worker.terminate();
  });
  worker.on('error', stop);
  worker.on('message', (message: readonly TimedAnswer[] | WorkerState) => {
    if (!('ready' in message)) queue.settle(message);
    else if (!message.ready) stop(new Error(`The embedded database stopped: ${message.message}`));
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', (code) => {
      const why = new Error(`The thread of the embedded database ended (exit code ${code}).`);
      stop(why);
      resolve(reason ?? why);
    });
  });
  const call = (kind: EngineCall['kind'], asked: Partial<EngineCall>) => {
    const { parameters = [], text = '', owner = ownerOf(parameters) } = asked;
    const why =
      reason ??
      (isClosing && kind !== 'transaction' ? new Error('The service is closing the database.') : undefined);
    if (why !== undefined) return Promise.reject(toOutage(STOPPED, why));
    if (kind === 'close') isClosing = true;
    return new Promise<unknown[]>((resolve, reject) =>
      queue.add({ ...asked, kind, text, parameters, owner, resolve, reject }),
    );
  };

  return {
    query: (text, parameters, signal) => call('query', { text, parameters, signal }),
    async begin({ projectId, signal } = { projectId: '' }) {
      await call('begin', { text: BEGIN, owner: projectId, signal });
      return createTransaction(call, queue.release);
    },
    close: async () => void (await call('close', {})),
    isDown: () => reason !== undefined,
    terminate: () => void worker.terminate(),
    ended,
  };
}

type SendToWorker = (kind: 'transaction', asked: Partial<EngineCall>) => Promise<unknown[]>;

function createTransaction(ask: SendToWorker, release: () => void): OpenTransaction {
  let hasEnded = false;
  const askInside = (asked: Partial<EngineCall>) =>
    hasEnded ? Promise.reject(new Error('The transaction has ended.')) : ask('transaction', asked);
  return {
    query: (text, parameters) => askInside({ text, parameters }),
    exec: async (text) => void (await askInside({ text, isScript: true })),
    async finish(text) {
      hasEnded = true;
      await ask('transaction', { text });
    },
    end() {
      hasEnded = true;
      release();
    },
  };
}

const BEGIN = 'begin isolation level read committed';
