import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DURABLE_START_PARAMS, DurableNodeFS } from './durable-fs.js';
import type {
  EngineWorkerAnswer,
  EngineWorkerSettings,
  TimedAnswer,
  WorkerCall,
  WorkerState,
} from './protocol.js';
import { createSession, type EngineSession } from './session.js';
import { TemplateFS } from './template-fs.js';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread');
const settings = workerData as EngineWorkerSettings;

async function open(): Promise<PGlite> {
  const { templateFile } = settings;
  if (settings.directory === undefined) {
    const files = templateFile === undefined ? {} : { fs: new TemplateFS(templateFile) };
    return PGlite.create({ ...files, startParams: [...PGlite.defaultStartParams, ...MEMORY_PARAMS] });
  }
  if (settings.isNew !== true) assertThere(settings.directory);
  const fs = new DurableNodeFS(settings.directory, endThread);
  try {
    const options = settings.isNew === true ? {} : MAKES_NONE;
    return await PGlite.create({ fs, startParams: [...DURABLE_START_PARAMS, ...SESSION_PARAMS], ...options });
  } catch (cause) {
    throw fs.complaint === undefined ? cause : new Error(fs.complaint, { cause });
  }
}

/** Plans each statement once. `analyze` blocks the only session, so a statistics target of 10 limits it. */
const SESSION_PARAMS = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'default_statistics_target=10',
  // Pages are in memory, so a random read costs as much as a sequential one.
  'random_page_cost=1',
  // The operating system also caches the files of a directory.
  'shared_buffers=32MB',
].flatMap(toOption);

/** Settings that keep the write-ahead log short. A database in memory never reads it. */
const MEMORY_PARAMS = [
  ...SESSION_PARAMS,
  ...['full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'].flatMap(toOption),
  ...['min_wal_size=32MB', 'max_wal_size=64MB'].flatMap(toOption),
];

function toOption(setting: string): string[] {
  return ['-c', setting];
}

/** Makes initdb fail, so that PGlite creates no database when a failing disk hides PG_VERSION after `assertThere`. */
const MAKES_NONE = { initDbStartParams: ['--no-database-is-to-be-made'] };

/** Throws if PG_VERSION cannot be read, because the engine then creates a new database in the directory. */
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

/** Ends this thread before it acknowledges a commit that may be missing on the disk. */
function endThread(reason: string): never {
  postState({ ready: false, message: reason });
  process.exit(1);
}

/** Minimum time between two messages of a batch. An earlier answer is sent together with the next one. */
const HOLD_MS = 1;

async function runBatch({ db, session }: Engine, calls: readonly WorkerCall[]): Promise<void> {
  let answers: TimedAnswer[] = [];
  let sentAt = performance.now();
  for (const call of calls) {
    const startedAt = performance.now();
    const given = await answer({ db, session }, call);
    const endedAt = performance.now();
    answers.push({ ...given, tookMs: endedAt - startedAt });
    if (endedAt - sentAt < HOLD_MS) continue;
    port?.postMessage(answers);
    answers = [];
    sentAt = endedAt;
  }
  if (answers.length > 0) port?.postMessage(answers);
  if (calls.at(-1)?.kind === 'close') port?.close();
  else await tend(session);
}

/** Analyzes a table that has grown, after the answers were sent. */
async function tend(session: EngineSession): Promise<void> {
  try {
    await session.tend();
  } catch (error) {
    // If the engine is unusable, the next call reports it.
    if (error instanceof Error && error.name === 'RuntimeError') endThread(String(error));
  }
}

interface Engine {
  db: PGlite;
  session: EngineSession;
}

async function answer({ db, session }: Engine, call: WorkerCall): Promise<EngineWorkerAnswer> {
  try {
    if (call.kind === 'query') return await session.query(call);
    if (call.kind === 'exec') return await session.exec(call.text);
    await db.close();
    return { rowCount: 0, values: [] };
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') endThread(String(error));
    return { failure: { message: describe(error), sqlState: undefined, constraint: undefined } };
  }
}

/** Errors of Emscripten's file system are no instances of `Error` and have a number instead of a message. */
function describe(error: unknown): string {
  const { message, errno } = error as { message?: string; errno?: number };
  return message ?? (errno === undefined ? String(error) : `its files cannot be used (errno ${errno})`);
}

function postState(state: WorkerState): void {
  port?.postMessage(state);
}

try {
  const db = await open();
  const engine = { db, session: createSession(db) };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (calls: readonly WorkerCall[]) => {
    last = last.then(() => runBatch(engine, calls));
  });
  postState({ ready: true });
} catch (error) {
  postState({ ready: false, message: describe(error) });
}
