import { parentPort } from 'node:worker_threads';
import type { ToFileThread } from './protocol.js';
import { storeFiles } from './store-files.js';

parentPort?.on('message', async (message: ToFileThread) => {
  parentPort?.postMessage(await storeFiles(message));
});
