import { openAsBlob } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DURABLE_START_PARAMS, DurableNodeFS } from './durable-fs.js';
import type { WorkerAnswer, WorkerCall, WorkerGreeting, WorkerSettings } from './protocol.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');
const settings = workerData as WorkerSettings;

async function open(): Promise<PGlite> {
  const template =
    settings.templateFile === undefined ? {} : { loadDataDir: await openAsBlob(settings.templateFile) };
  if (settings.directory === undefined) return PGlite.create({ ...template });
  return PGlite.create({
    fs: new DurableNodeFS(settings.directory, endThread),
    startParams: DURABLE_START_PARAMS,
    ...template,
  });
}

/** Ends this thread at once, so that nothing that may not be on the disk is ever acknowledged. */
function endThread(error: unknown): never {
  process.stderr.write(`The database's directory cannot be synced: ${String(error)}\n`);
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

function greet(greeting: WorkerGreeting): void {
  port?.postMessage(greeting);
}

try {
  const db = await open();
  port.on('message', (call: WorkerCall) => {
    run(db, call).then(
      (rows) => {
        port.postMessage({ id: call.id, rows } satisfies WorkerAnswer);
        if (call.kind === 'close') port.close();
      },
      (error: unknown) => port.postMessage(toFailure(call.id, error)),
    );
  });
  greet({ ready: true });
} catch (error) {
  greet({ ready: false, message: error instanceof Error ? error.message : String(error) });
}
