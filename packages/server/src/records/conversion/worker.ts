import { parentPort } from 'node:worker_threads';
import { convert, type FromConversionThread, type ToConversionThread } from './convert.js';

parentPort?.on('message', ({ id, to, text }: ToConversionThread) => {
  parentPort?.postMessage(answer({ id, to, text }));
});

function answer({ id, to, text }: ToConversionThread): FromConversionThread {
  try {
    return { id, text: new TextEncoder().encode(convert(to, new TextDecoder().decode(text))) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}
