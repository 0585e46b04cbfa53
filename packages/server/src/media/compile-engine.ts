import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export interface WorkerProgram {
  workerFile?: string;
  /** Path of the engine's compiled code; default: the file of the installed package. */
  wasmFile?: string;
}

/**
 * Compiles the engine once for all threads. As long as the module is referenced, a new thread reuses the code that
 * other threads have optimised.
 */
export async function compileEngine({
  wasmFile,
}: Pick<WorkerProgram, 'wasmFile'> = {}): Promise<WebAssembly.Module> {
  const file = wasmFile ?? createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm');
  return WebAssembly.compile(await readFile(file));
}
