import type { FastifyRequest } from 'fastify';
import { type StagedMedia, stageMedia } from '../../records/draft/stage-media.js';
import { MAX_DESCRIBED_BYTES } from '../../search/descriptor.js';
import type { AppDeps } from '../app.js';
import type { OtherParts } from '../wire/form-errors.js';
import { projectOf } from '../wire/principal-of.js';
import { readUpload, type Upload } from '../wire/read-upload.js';

/** Calls `run` with the single file of the form, and deletes the file afterwards. */
export async function withFile<Answer>(
  deps: Pick<AppDeps, 'records' | 'credentials'>,
  request: FastifyRequest,
  run: (media: StagedMedia, texts: ReadonlyMap<string, string>) => Promise<Answer>,
  textParts: readonly string[] = [],
): Promise<Answer> {
  const options = { parse: () => undefined, jsonWhenAbsent: null, textParts };
  const { file, texts, discard } = await readMedia(request, deps, options);
  try {
    return await run(file, texts);
  } finally {
    await discard();
  }
}

export function readMedia<Input>(
  request: FastifyRequest,
  {
    credentials: { maxMediaBytes: maxBytes, times },
    records: { createHasher },
  }: Pick<AppDeps, 'credentials' | 'records'>,
  options: {
    parse: (json: unknown) => Input;
    jsonWhenAbsent?: unknown;
    otherParts?: OtherParts;
    textParts?: readonly string[];
  },
): Promise<Upload<Input, StagedMedia>> {
  const bounds = { maxBytes, limitName: 'MAX_MEDIA_BYTES' };
  const stage = (bytes: AsyncIterable<Uint8Array>, expectedBytes?: number) =>
    stageMedia({ createHasher, projectId: projectOf(request), expectedBytes }, bytes);
  return times.time('receive', async () => {
    const upload = await readUpload(request, { ...options, ...bounds, stage });
    return { ...upload, file: { ...upload.file, fileName: upload.fileName } };
  });
}

/** Calls `run` with the file of a search form, and deletes the file afterwards. */
export async function withSearchFile<Answer>(
  { records: { createHasher }, maxUploadBytes }: Pick<AppDeps, 'records' | 'maxUploadBytes'>,
  request: FastifyRequest,
  run: (file: StagedMedia) => Promise<Answer>,
): Promise<Answer> {
  const staging = { createHasher, projectId: projectOf(request), maxKeptBytes: MAX_DESCRIBED_BYTES };
  const { file, discard } = await readUpload(request, {
    stage: (bytes, expectedBytes) => stageMedia({ ...staging, expectedBytes }, bytes),
    maxBytes: maxUploadBytes,
    limitName: 'MAX_UPLOAD_BYTES',
    parse: () => undefined,
    jsonWhenAbsent: null,
  });
  try {
    return await run(file);
  } finally {
    await discard();
  }
}
