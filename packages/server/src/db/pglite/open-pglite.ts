import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors.js';
import { type Database, type Tx, toDatabaseError, toTx } from '../database.js';
import type { WorkerAnswer, WorkerCall, WorkerGreeting, WorkerSettings } from './protocol.js';

type CallBody = WorkerCall extends infer Call ? (Call extends WorkerCall ? Omit<Call, 'id'> : never) : never;

interface Link {
  call(body: CallBody): Promise<unknown[]>;
  isDown(): boolean;
  end(): Promise<void>;
}

/**
 * Opens PGlite in a worker thread, so that a large answer does not stall other requests.
 * The caller holds the directory's lock. Rejects when the database cannot be opened.
 */
export async function openPglite(settings: WorkerSettings): Promise<Database> {
  const link = await startWorker(settings);
  return createDatabase(link);
}

async function startWorker(settings: WorkerSettings): Promise<Link> {
  const entry = createRequire(import.meta.url).resolve('#pglite-worker');
  const worker = new Worker(entry, { workerData: settings });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const greeting = await new Promise<WorkerGreeting>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`The embedded database ended at once (exit code ${code}).`)),
    );
  });
  if (!greeting.ready) {
    await worker.terminate();
    throw new Error(`The embedded database cannot be opened: ${greeting.message}`);
  }
  return createLink(worker, exited);
}

function createLink(worker: Worker, exited: Promise<void>): Link {
  const waiting = new Map<number, { resolve: (rows: unknown[]) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  let down: Error | undefined;

  const fail = (cause: Error) => {
    down ??= new ServiceError('Unavailable', 'The embedded database has stopped; restart the service.', {
      cause,
    });
    for (const { reject } of waiting.values()) reject(down);
    waiting.clear();
  };
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('worker exited')));
  worker.on('message', (answer: WorkerAnswer) => {
    const waiter = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('rows' in answer) waiter?.resolve(answer.rows);
    else waiter?.reject(toError(answer.failure));
  });

  return {
    call(body) {
      if (down !== undefined) return Promise.reject(down);
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ ...body, id });
      });
    },
    isDown: () => down !== undefined,
    end: () => exited,
  };
}

function toError(failure: { message: string; sqlState: string | undefined; constraint: string | undefined }) {
  if (failure.sqlState === undefined) return new Error(failure.message);
  return toDatabaseError(failure.message, { sqlState: failure.sqlState, constraint: failure.constraint });
}

function createDatabase(link: Link): Database {
  // The engine has one session: while a transaction is open, everybody else waits here.
  let transactionEnd: Promise<void> | undefined;

  const query = async (text: string, parameters: readonly unknown[] = []) =>
    link.call({ kind: 'query', text, parameters });
  const tx = toTx({
    query: async <Row>(text: string, parameters?: readonly unknown[]) =>
      (await query(text, parameters)) as Row[],
    exec: async (sql) => void (await link.call({ kind: 'exec', text: sql })),
  });

  return {
    engine: 'pglite',
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      while (transactionEnd !== undefined) await transactionEnd;
      return (await query(text, parameters)) as Row[];
    },
    async transaction(run) {
      while (transactionEnd !== undefined) await transactionEnd;
      let release = () => {};
      transactionEnd = new Promise((resolve) => {
        release = resolve;
      });
      try {
        return await runTransaction(tx, run);
      } finally {
        transactionEnd = undefined;
        release();
      }
    },
    async close() {
      if (!link.isDown()) await link.call({ kind: 'close' });
      await link.end();
    },
  };
}

/** Begins, runs, and commits; rolls back when `run` or the commit fails. */
async function runTransaction<T>(tx: Tx, run: (tx: Tx) => Promise<T>): Promise<T> {
  await tx.exec('begin isolation level read committed');
  try {
    const result = await run(tx);
    await tx.exec('commit');
    return result;
  } catch (error) {
    await tx.exec('rollback');
    throw error;
  }
}
