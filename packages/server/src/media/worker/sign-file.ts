import { writeFileSync } from 'node:fs';
import { ServiceError } from '../../errors.js';
import type { ReadOutcome, SignOutcome } from '../media-engine.js';
import { toEngineSettings } from './c2pa-wasm.js';
import { makeThumbnail } from './make-thumbnail.js';
import type { SignTask } from './protocol.js';
import { readFileWithin } from './read-file.js';
import { readManifest } from './read-manifest.js';
import { type RequestSignature, signWhole } from './sign-manifest.js';
import { signPdf } from './sign-pdf.js';

/** Signs, validates what came out, and only then writes it. */
export async function signFile(task: SignTask, requestSignature: RequestSignature): Promise<SignOutcome> {
  const settings = toEngineSettings(task.trustAnchorsPem);
  const bytes = readFileWithin(task.path, task.maxBytes);
  const thumbnail = task.thumbnail ? await makeThumbnail(bytes) : undefined;
  const sign = task.mediaType === 'application/pdf' ? signPdf : signWhole;
  const signed = await sign({ task, bytes, settings, requestSignature, thumbnail });
  const read = await readManifest({ bytes: signed, mediaType: task.mediaType, settings });
  if (read.kind !== 'store' || read.store.validation_state === 'Invalid') throw toRefusal(read);
  writeFileSync(task.outputPath, signed, { flag: 'wx' });
  return { sizeBytes: signed.length, store: read.store };
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
