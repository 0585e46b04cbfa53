import { openAsBlob } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DURABLE_START_PARAMS, DurableNodeFS } from './durable-fs.js';
import type { WorkerAnswer, WorkerCall, WorkerSettings, WorkerState } from './protocol.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');
const settings = workerData as WorkerSettings;

async function open(): Promise<PGlite> {
  const template =
    settings.templateFile === undefined ? {} : { loadDataDir: await openAsBlob(settings.templateFile) };
  if (settings.directory === undefined) return PGlite.create({ ...template });
  const fs = new DurableNodeFS(settings.directory, endThread);
  try {
    return await PGlite.create({ fs, startParams: DURABLE_START_PARAMS, ...template });
  } catch (cause) {
    throw fs.complaint === undefined ? cause : new Error(fs.complaint, { cause });
  }
}

/**
 * Ends this thread at once: nothing that may not be on the disk is acknowledged, and an engine that has panicked
 * would go round for ever at the next statement.
 */
function endThread(reason: string): never {
  tell({ ready: false, message: reason });
  process.exit(1);
}

async function run(db: PGlite, call: WorkerCall): Promise<unknown[]> {
  if (call.kind === 'query') return (await db.query(call.text, [...call.parameters])).rows;
  if (call.kind === 'exec') await db.exec(call.text);
  else await db.close();
  return [];
}

function toFailure(id: number, error: unknown): WorkerAnswer {
  const { message, code, constraint } = error as { message?: string; code?: string; constraint?: string };
  return { id, failure: { message: message ?? String(error), sqlState: code, constraint } };
}

function tell(state: WorkerState): void {
  port?.postMessage(state);
}

try {
  const db = await open();
  port.on('message', (call: WorkerCall) => {
    run(db, call).then(
      (rows) => {
        port.postMessage({ id: call.id, rows } satisfies WorkerAnswer);
        if (call.kind === 'close') port.close();
      },
      (error: unknown) => {
        if (error instanceof Error && error.name === 'RuntimeError') endThread(String(error));
        port.postMessage(toFailure(call.id, error));
      },
    );
  });
  tell({ ready: true });
} catch (error) {
  tell({ ready: false, message: error instanceof Error ? error.message : String(error) });
}
