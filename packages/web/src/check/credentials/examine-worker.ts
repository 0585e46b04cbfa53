import { answerPage } from '../../shell/ask-worker.js';
import { examine } from './examine.js';

/* Parses untrusted files, so it runs in a worker that the page can end. */
answerPage(async (file: File) => examine(new Uint8Array(await file.arrayBuffer())));
