import { type Database, type TransactionOptions, type Tx, toTx } from '../database.js';
import { type EngineOptions, keepRunning, type RunningEngine } from './keep-running.js';
import type { EngineWorkerSettings } from './protocol.js';
import type { WorkerLink } from './worker-link.js';

/** Runs PGlite in a worker thread. The caller must have locked the directory. */
export async function openPglite(
  settings: EngineWorkerSettings,
  options: EngineOptions = {},
): Promise<Database> {
  return createDatabase(await keepRunning(settings, options));
}

function createDatabase(engine: RunningEngine): Database {
  return {
    engine: 'pglite',
    async query<Row>(text: string, parameters?: readonly unknown[], signal?: AbortSignal) {
      signal?.throwIfAborted();
      return (await engine.link().query(text, parameters ?? [], signal)) as Row[];
    },
    transaction: (run, options) => runTransaction(engine.link(), { run, options }),
    close: () => engine.close(),
  };
}

/** All calls go to the same thread. */
async function runTransaction<T>(
  link: WorkerLink,
  { run, options }: { run: (tx: Tx) => Promise<T>; options: TransactionOptions | undefined },
): Promise<T> {
  const transaction = await link.begin(options);
  const tx = toTx({
    query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
      (await transaction.query(text, parameters)) as Row[],
    exec: transaction.exec,
  });
  try {
    const result = await run(tx);
    await transaction.finish('commit');
    return result;
  } catch (error) {
    if (!link.isDown()) await transaction.finish('rollback');
    throw error;
  } finally {
    transaction.end();
  }
}
