import { writeFileSync } from 'node:fs';
import { ServiceError } from '../../errors.js';
import type { ReadOutcome, SignOutcome } from '../media-engine.js';
import { toEngineSettings } from './c2pa-wasm.js';
import { makeThumbnail } from './make-thumbnail.js';
import type { SignTask } from './protocol.js';
import { readFileWithin } from './read-file.js';
import { readManifest } from './read-manifest.js';
import { type Signing, type SigningThread, signWhole } from './sign-manifest.js';

/** Signs, writes what came out, and verifies it meanwhile; whoever asked removes what does not hold. */
export async function signFile(task: SignTask, thread: SigningThread): Promise<SignOutcome> {
  const { times } = thread;
  const settings = toEngineSettings(task.trustAnchorsPem);
  const bytes = await times.time('load', () => readFileWithin(task.path, task.maxBytes));
  const thumbnail = task.thumbnail ? times.time('thumbnail', () => makeThumbnail(bytes)) : undefined;
  const signed = await sign({ task, bytes, settings, thread, thumbnail });
  await times.time('save', () => writeFileSync(task.outputPath, signed, { flag: 'wx' }));
  thread.tellWritten();
  const written = { bytes: signed, mediaType: task.mediaType, settings };
  const read = await readManifest(written, { pass: 'verify', times });
  if (read.kind !== 'store' || read.store.validation_state === 'Invalid') throw toRefusal(read);
  return { sizeBytes: signed.length, store: read.store };
}

/** What PDF needs is loaded with the first PDF only: it would double the time that a thread takes to start. */
async function sign(signing: Signing): Promise<Uint8Array> {
  if (signing.task.mediaType !== 'application/pdf') return signWhole(signing);
  const { signPdf } = await import('./sign-pdf.js');
  return signPdf(signing);
}

interface Failure {
  code: string;
  explanation?: string;
}

function toRefusal(read: ReadOutcome): ServiceError {
  const results = read.kind === 'store' ? read.store.validation_results : undefined;
  const { failure = [] } = (results?.activeManifest ?? {}) as { failure?: Failure[] };
  const reasons = failure.filter(({ code }) => code !== 'signingCredential.untrusted');
  const codes = reasons.map(({ code }) => code).join(', ');
  return new ServiceError(
    'ValidationError',
    `The signed file would not be valid (${codes}); it was not written.`,
    {
      details: reasons.map(({ code, explanation }) => ({ path: 'file', message: explanation ?? code, code })),
    },
  );
}
