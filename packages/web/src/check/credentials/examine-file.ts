import { askWorker } from '../../shell/ask-worker.js';
import type { Examined } from './examine.js';

/** A larger file would take more memory than a browser gives. */
const MAX_BYTES = 128 * 2 ** 20;
const TIMEOUT_MS = 60_000;

/** What this browser alone finds out about a file's Content Credentials; nothing of the file goes anywhere. */
export async function examineFile(file: File, signal: AbortSignal): Promise<Examined> {
  if (file.size > MAX_BYTES) return { kind: 'unsupported' };
  const worker = new Worker(new URL('./examine-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await askWorker<Examined>(worker, file, { signal, timeoutMs: TIMEOUT_MS });
  } catch {
    signal.throwIfAborted();
    return { kind: 'unsure' }; // a thread that was ended has said nothing of the file
  }
}
