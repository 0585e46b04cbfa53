import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

export interface WorkerProgram {
  workerFile?: string;
  /** Path of the engine's compiled code; default: the file of the installed package. */
  wasmFile?: string;
}

/** Uses its own thread, because compiling takes 0.1 s. New threads reuse code that other threads have optimised. */
export async function compileEngine({
  wasmFile,
}: Pick<WorkerProgram, 'wasmFile'> = {}): Promise<WebAssembly.Module> {
  const { resolve } = createRequire(import.meta.url);
  const file = wasmFile ?? resolve('@contentauth/c2pa-wasm/c2pa.wasm');
  const thread = new Worker(resolve('#media-compiler'), { env: {}, workerData: file });
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`The thread that compiles the media engine ended with the code ${code}.`);
  });
  const [module] = await Promise.race([once(thread, 'message'), ended]);
  return module;
}
