import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { FromWorker, MediaWorkerSettings } from './worker/protocol.js';

const START_LIMIT_MS = 30_000;
/** Limits the thread's own objects; files lie in buffers, which are not counted here. */
const MAX_HEAP_MB = 512;

export interface WorkerProgram {
  /** The program of the thread; the built one when absent. */
  workerFile?: string;
  /** The engine's compiled code; the installed package's when absent. */
  wasmFile?: string;
}

/**
 * Compiles the engine once for all threads. While this is held, a thread that replaces another starts with the code
 * as the others have optimized it, instead of compiling it again.
 */
export async function compileEngine({
  wasmFile,
}: Pick<WorkerProgram, 'wasmFile'> = {}): Promise<WebAssembly.Module> {
  const file = wasmFile ?? createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm');
  return WebAssembly.compile(await readFile(file));
}

/** A thread that is ready for tasks; rejects when its program or the engine in it cannot be loaded. */
export function startWorker(
  { workerFile }: Pick<WorkerProgram, 'workerFile'>,
  program: WebAssembly.Module,
): Promise<Worker> {
  const workerData: MediaWorkerSettings = { program };
  const worker = new Worker(workerFile ?? createRequire(import.meta.url).resolve('#media-worker'), {
    workerData,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      void worker.terminate();
      reject(error);
    };
    const failAtExit = (): void => fail(new Error('its thread ended at once'));
    const timer = setTimeout(() => fail(new Error('its thread did not start in time')), START_LIMIT_MS);
    worker.once('error', fail);
    worker.once('exit', failAtExit);
    worker.once('message', (message: FromWorker) => {
      if (message.kind === 'unready') return fail(new Error(message.message));
      clearTimeout(timer);
      worker.off('error', fail);
      worker.off('exit', failAtExit);
      resolve(worker);
    });
  });
}
