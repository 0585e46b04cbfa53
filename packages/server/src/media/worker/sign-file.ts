import { writeFileSync } from 'node:fs';
import { ServiceError } from '../../errors.js';
import { isText } from '../formats.js';
import { summariseSigned } from '../interpret-manifest-store.js';
import type { ReadOutcome, SignOutcome } from '../media-engine.js';
import { toReadSettings } from './c2pa-wasm.js';
import { makeThumbnail } from './make-thumbnail.js';
import type { SignTask } from './protocol.js';
import { readFileWithin } from './read-file.js';
import { readManifest } from './read-manifest.js';
import { signWhole } from './sign-manifest.js';
import { signText } from './sign-text.js';
import type { Signing, SigningThread } from './signing.js';
import { assertDescriptionFits } from './store-limits.js';

/** Verifies the file after it is written. The caller removes an invalid file. */
export async function signFile(task: SignTask, thread: SigningThread): Promise<SignOutcome> {
  const { times } = thread;
  const { settings, identitySettings } = toReadSettings(task);
  const bytes = await times.time('load', () => readFileWithin(task.path, task.maxBytes));
  const { thumbnailBytes } = task;
  const thumbnail =
    thumbnailBytes > 0 ? times.time('thumbnail', () => makeThumbnail(bytes, thumbnailBytes)) : undefined;
  const signed = await sign({ task, bytes, settings, thread, thumbnail });
  await times.time('save', () => writeFileSync(task.outputPath, signed, { flag: 'wx' }));
  thread.notifyWritten();
  const written = { bytes: signed, mediaType: task.mediaType, settings, identitySettings };
  const read = await readManifest(written, { pass: 'verify', times });
  if (read.kind !== 'store' || read.store.validation_state === 'Invalid') throw toRefusal(read);
  if (failuresOf(read).some(isFaultOfIdentity)) throw toRefusal(read);
  const { store } = read;
  const summary = await times.time('tell', () => summariseSigned(store));
  assertDescriptionFits(summary, 'verify');
  return { sizeBytes: signed.length, summary };
}

/** Loads the PDF modules at the first PDF, because they would double the start time of a thread. */
async function sign(signing: Signing): Promise<Uint8Array> {
  const { mediaType } = signing.task;
  if (isText({ mediaType })) return signText(signing);
  if (mediaType !== 'application/pdf') return signWhole(signing);
  const { signPdf } = await import('./sign-pdf.js');
  return signPdf(signing);
}

interface SignFailure {
  code: string;
  explanation?: string;
}

function failuresOf(read: ReadOutcome): SignFailure[] {
  const results = read.kind === 'store' ? read.store.validation_results : undefined;
  const { failure = [] } = (results?.activeManifest ?? {}) as { failure?: SignFailure[] };
  return failure;
}

/** The engine accepts a file with an invalid identity, but the service must not return it. */
function isFaultOfIdentity({ code }: SignFailure): boolean {
  return code.startsWith('cawg.') && !code.endsWith('.untrusted');
}

function toRefusal(read: ReadOutcome): ServiceError {
  const reasons = failuresOf(read).filter(({ code }) => !code.endsWith('.untrusted'));
  const codes = reasons.map(({ code }) => code).join(', ');
  return new ServiceError(
    'ValidationError',
    `The signed file would not be valid (${codes || describe(read)}), so it was removed.`,
    {
      details: reasons.map(({ code, explanation }) => ({ path: 'file', message: explanation ?? code, code })),
    },
  );
}

/** Describes the result of a read that returned no failure codes. */
function describe(read: ReadOutcome): string {
  if (read.kind === 'store') return 'no reason stated';
  return read.kind === 'broken' ? `${read.code}: ${read.message}` : `read as \`${read.kind}\``;
}
