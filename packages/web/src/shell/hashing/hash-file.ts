import type { ContentDigests } from '@colophon/model';
import { askWorker, type WorkerTerms } from '../ask-worker.js';

/** The file stays in the browser. */
export function hashFile(file: File, terms: WorkerTerms): Promise<ContentDigests> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return askWorker(worker, file, terms);
}
