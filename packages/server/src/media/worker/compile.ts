import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

// Compiles the file whose path is `workerData`, sends the module, and ends.
parentPort?.postMessage(await WebAssembly.compile(await readFile(workerData)));
