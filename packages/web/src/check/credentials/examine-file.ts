import { askWorker } from '../../shell/ask-worker.js';
import type { Examined } from './examine.js';

/** A larger file needs more memory than a browser provides. */
const MAX_BYTES = 128 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/** Examines the Content Credentials of a file in the browser. The file is sent nowhere. */
export async function examineFile(file: File, signal: AbortSignal): Promise<Examined> {
  if (file.size > MAX_BYTES) return { kind: 'unsupported' };
  const worker = new Worker(new URL('./examine-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await askWorker<Examined>(worker, file, { signal, timeoutMs: TIMEOUT_MS });
  } catch {
    signal.throwIfAborted();
    // The worker failed or exceeded the time limit.
    return { kind: 'unsure' };
  }
}
