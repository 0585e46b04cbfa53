import { answerPage } from '../../shell/ask-worker.js';
import { examine } from './examine.js';

/* Reads what strangers made: in a thread that can be ended. */
answerPage(async (file: File) => examine(new Uint8Array(await file.arrayBuffer())));
