import { createContentHasher } from '@colophon/model';
import type { FromHashWorker } from './hash-file.js';

/* Computes the names of a file beside the page, which stays usable meanwhile. */
const tell = (message: FromHashWorker) => self.postMessage(message);

self.onmessage = async ({ data: file }: MessageEvent<File>) => {
  try {
    const hasher = createContentHasher();
    const reader = file.stream().getReader();
    let doneBytes = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      hasher.update(next.value);
      doneBytes += next.value.length;
      tell({ kind: 'progress', doneBytes });
    }
    tell({ kind: 'done', digests: hasher.finish() });
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
