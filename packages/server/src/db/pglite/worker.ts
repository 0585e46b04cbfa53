import { openAsBlob, readFileSync } from 'node:fs';
import path from 'node:path';
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
  if (settings.isNew !== true) assertThere(settings.directory);
  const fs = new DurableNodeFS(settings.directory, endThread);
  try {
    const terms = settings.isNew === true ? template : MAKES_NONE;
    return await PGlite.create({ fs, startParams: DURABLE_START_PARAMS, ...terms });
  } catch (cause) {
    throw fs.complaint === undefined ? cause : new Error(fs.complaint, { cause });
  }
}

/** An option that initdb refuses: should a disk that fails now and then hide PG_VERSION later, none is made either. */
const MAKES_NONE = { initDbStartParams: ['--no-database-is-to-be-made'] };

/** The engine takes a directory whose PG_VERSION it cannot see for an empty one, and would make a database over it. */
function assertThere(directory: string): void {
  try {
    readFileSync(path.join(directory, 'PG_VERSION'));
  } catch (cause) {
    throw new Error(
      `${directory} is gone or damaged: its PG_VERSION cannot be read. Bring the directory back, or restore a backup.`,
      { cause },
    );
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
  const { code, constraint } = error as { code?: string; constraint?: string };
  return { id, failure: { message: describe(error), sqlState: code, constraint } };
}

/** Emscripten's errors of the file system are no `Error`: they have a number. */
function describe(error: unknown): string {
  const { message, errno } = error as { message?: string; errno?: number };
  return message ?? (errno === undefined ? String(error) : `its files cannot be used (errno ${errno})`);
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
  tell({ ready: false, message: describe(error) });
}
