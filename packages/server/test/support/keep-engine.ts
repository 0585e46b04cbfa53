import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const kept = globalThis as { engineOfTests?: WebAssembly.Module };

/**
 * V8 shares the code of equal modules among threads while one of these modules is in memory. So each further engine
 * starts without compiling again.
 */
kept.engineOfTests ??= new WebAssembly.Module(
  readFileSync(resolve('@electric-sql/pglite').replace(/[^/\\]+$/, 'pglite.wasm')),
);
