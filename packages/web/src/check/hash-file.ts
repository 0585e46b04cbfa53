import type { ContentDigests } from '@colophon/model';

/** What the thread that hashes says. */
export type FromHashWorker =
  | { kind: 'progress'; doneBytes: number }
  | { kind: 'done'; digests: ContentDigests }
  | { kind: 'failed'; message: string };

/** What a hashing is told and asked by. */
export interface HashTerms {
  signal: AbortSignal;
  onProgress: (share: number) => void;
}

/** The names of a file, computed in a thread of the browser; nothing of the file goes anywhere. */
export function hashFile(file: File, { signal, onProgress }: HashTerms): Promise<ContentDigests> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ContentDigests>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }: MessageEvent<FromHashWorker>) => {
      if (data.kind === 'progress') onProgress(file.size === 0 ? 1 : data.doneBytes / file.size);
      else if (data.kind === 'done') resolve(data.digests);
      else reject(new Error(data.message));
    };
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
