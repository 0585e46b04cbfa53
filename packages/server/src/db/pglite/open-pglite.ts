import { type Database, type Tx, toTx } from '../database.js';
import { type EngineOptions, keepRunning, type RunningEngine } from './keep-running.js';
import type { WorkerSettings } from './protocol.js';
import type { WorkerLink } from './worker-link.js';

/**
 * Opens PGlite in a worker thread, so that a large answer does not stall other requests.
 * The caller holds the directory's lock. Rejects when the database cannot be opened.
 */
export async function openPglite(settings: WorkerSettings, options: EngineOptions = {}): Promise<Database> {
  return createDatabase(await keepRunning(settings, options));
}

function createDatabase(engine: RunningEngine): Database {
  // The engine has one session: while a transaction is open, everybody else waits here.
  let transactionEnd: Promise<void> | undefined;

  return {
    engine: 'pglite',
    async query<Row>(text: string, parameters?: readonly unknown[], signal?: AbortSignal) {
      while (transactionEnd !== undefined) await transactionEnd;
      signal?.throwIfAborted();
      return (await engine.link().query(text, parameters ?? [])) as Row[];
    },
    async transaction(run) {
      while (transactionEnd !== undefined) await transactionEnd;
      let release = () => {};
      transactionEnd = new Promise((resolve) => {
        release = resolve;
      });
      try {
        return await runTransaction(engine.link(), run);
      } finally {
        transactionEnd = undefined;
        release();
      }
    },
    close: () => engine.close(),
  };
}

/** Begins, runs, and commits; rolls back when `run` or the commit fails. All of it in one thread, or none. */
async function runTransaction<T>(link: WorkerLink, run: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = toTx({
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await link.query(text, parameters)) as Row[],
    exec: link.exec,
  });
  await link.query('begin isolation level read committed', []);
  try {
    const result = await run(tx);
    await link.query('commit', []);
    return result;
  } catch (error) {
    if (!link.isDown()) await link.query('rollback', []);
    throw error;
  }
}
