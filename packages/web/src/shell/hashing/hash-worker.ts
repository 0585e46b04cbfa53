import { createContentHasher } from '@colophon/model';
import { answerPage } from '../ask-worker.js';

/* In a worker, so that the page still reacts to the user. */
answerPage(async (file: File, onProgress) => {
  const hasher = createContentHasher();
  const reader = file.stream().getReader();
  let doneBytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    hasher.update(next.value);
    doneBytes += next.value.length;
    onProgress(doneBytes / file.size);
  }
  return hasher.finish();
});
