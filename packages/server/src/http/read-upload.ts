import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { BlobStore } from '../blobs/blob-store.js';
import { ServiceError } from '../errors.js';
import { type StagedUpload, stageUpload } from '../records/stage-upload.js';

/** Largest `json` part, in bytes. */
const MAX_JSON_BYTES = 2 ** 20;
/** What a form may add to the file itself: boundaries, part headers and the `json` part. */
const FORM_OVERHEAD_BYTES = MAX_JSON_BYTES + 2 ** 16;

/** A file that waits in the store, and what the `json` part says of it (not yet validated). */
export interface Upload {
  staged: StagedUpload;
  json: unknown;
}

/** Where an upload goes. */
export interface UploadTerms {
  blobs: BlobStore;
  projectId: string;
  maxUploadBytes: number;
}

/**
 * Reads a form with the parts `file` and `json`, in either order, streaming the file into the store. When this
 * rejects, nothing is left there.
 */
export async function readUpload(request: FastifyRequest, terms: UploadTerms): Promise<Upload> {
  const { maxUploadBytes } = terms;
  if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes + FORM_OVERHEAD_BYTES) {
    throw tooLarge(maxUploadBytes);
  }
  const found: { staged?: StagedUpload; json?: unknown } = {};
  try {
    for await (const part of openParts(request, maxUploadBytes)) await take(part, found, terms);
    const { staged, json } = found;
    if (staged === undefined) throw missing('file', 'the bytes to record');
    if (json === undefined) throw missing('json', 'an object that tells who did what');
    return { staged, json };
  } catch (error) {
    await found.staged?.writer.discard();
    throw fromParser(error);
  }
}

function openParts(request: FastifyRequest, maxUploadBytes: number): AsyncIterable<Multipart> {
  return request.parts({
    limits: {
      fileSize: Math.max(maxUploadBytes, MAX_JSON_BYTES),
      fieldSize: MAX_JSON_BYTES,
      files: 2,
      fields: 10,
      parts: 12,
      headerPairs: 20,
      fieldNameSize: 100,
    },
  });
}

async function take(
  part: Multipart,
  found: { staged?: StagedUpload; json?: unknown },
  { blobs, projectId, maxUploadBytes }: UploadTerms,
): Promise<void> {
  if (part.fieldname === 'json') {
    if (found.json !== undefined) throw twice('json');
    found.json = part.type === 'file' ? parseJson(await readText(part)) : fromField(part);
  } else if (part.fieldname === 'file' && part.type === 'file') {
    if (found.staged !== undefined) throw twice('file');
    found.staged = await stageUpload(blobs, projectId, bounded(part, maxUploadBytes));
  } else if (part.fieldname === 'file') {
    throw new ServiceError('InvalidField', 'The part `file` has no file name, so it is not a file.', {
      recovery: 'Send it as a file: with curl, -F file=@photo.jpg',
    });
  } else {
    throw new ServiceError('InvalidField', `The part \`${part.fieldname}\` is not known.`, {
      recovery: 'Send exactly two parts: `file` and `json`.',
    });
  }
}

/** The file's bytes; fails after the last one when the parser cut it short at the limit. */
async function* bounded(part: MultipartFile, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of part.file) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
  if (part.file.truncated) throw tooLarge(maxBytes);
}

async function readText(part: MultipartFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(part, MAX_JSON_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A part declared as JSON was parsed already. */
function fromField(part: Exclude<Multipart, MultipartFile>): unknown {
  if (part.valueTruncated) throw tooLarge(MAX_JSON_BYTES);
  return typeof part.value === 'string' && part.mimetype !== 'application/json'
    ? parseJson(part.value)
    : part.value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('InvalidField', 'The part `json` is not well-formed JSON.', { cause });
  }
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('PayloadTooLarge', `A part is larger than ${maxBytes} bytes.`, {
    recovery: 'Send a smaller file, or have the operator raise MAX_UPLOAD_BYTES.',
  });
}

function missing(part: string, what: string): ServiceError {
  return new ServiceError('MissingField', `The form has no part \`${part}\`: ${what}.`);
}

function twice(part: string): ServiceError {
  return new ServiceError('InvalidField', `The form has more than one part \`${part}\`.`);
}

/** The multipart parser's own errors carry no code: the form is malformed or ended too early. */
function fromParser(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ServiceError || 'code' in error) return error;
  if (!/multipart|boundary|form|header|terminated/i.test(error.message)) return error;
  return new ServiceError('InvalidField', `The form cannot be read: ${error.message}.`, { cause: error });
}
