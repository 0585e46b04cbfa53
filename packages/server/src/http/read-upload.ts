import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { BlobStore } from '../blobs/blob-store.js';
import type { CreateStreamHasher } from '../blobs/hashing/stream-hasher.js';
import { ServiceError } from '../errors.js';
import { type StagedUpload, stageUpload } from '../records/stage-upload.js';
import { decodeUtf8 } from './json-body.js';

/** Largest `json` part, in bytes. */
const MAX_JSON_BYTES = 2 ** 20;
/** What a form may add to the file itself: boundaries, part headers and the `json` part. */
const FORM_OVERHEAD_BYTES = MAX_JSON_BYTES + 2 ** 16;

/** A file that waits in the store, and what the `json` part says of it: as sent, and parsed. */
export interface Upload<Input> {
  staged: StagedUpload;
  json: unknown;
  input: Input;
}

/** Where an upload goes, and how its `json` part is parsed as soon as it comes. */
export interface UploadTerms<Input> {
  blobs: BlobStore;
  createHasher?: CreateStreamHasher;
  projectId: string;
  maxUploadBytes: number;
  parse: (json: unknown) => Input;
}

type Found<Input> = { staged?: StagedUpload; json?: { sent: unknown; input: Input } };

/**
 * Reads a form with the parts `file` and `json`, in either order, streaming the file into the store. When this
 * rejects, nothing is left there.
 */
export async function readUpload<Input>(
  request: FastifyRequest,
  terms: UploadTerms<Input>,
): Promise<Upload<Input>> {
  const { maxUploadBytes } = terms;
  const formBytes = readLength(request);
  if (formBytes !== undefined && formBytes > maxUploadBytes + FORM_OVERHEAD_BYTES) {
    throw tooLarge(maxUploadBytes);
  }
  assertBoundary(request.headers['content-type']);
  const found: Found<Input> = {};
  try {
    for await (const part of openParts(request, maxUploadBytes))
      await take(part, found, { ...terms, expectedBytes: formBytes });
    const { staged, json } = found;
    if (staged === undefined) throw missing('file', 'the bytes to record');
    if (json === undefined) throw missing('json', 'an object that tells who did what');
    return { staged, json: json.sent, input: json.input };
  } catch (error) {
    await found.staged?.writer.discard();
    throw fromParser(error);
  }
}

/** What the whole form has; undefined when it comes in chunks. */
function readLength({ headers }: FastifyRequest): number | undefined {
  const { 'content-length': length } = headers;
  return length === undefined ? undefined : Number(length);
}

/** RFC 2046 §5.1.1: a boundary has 1 to 70 characters. */
function assertBoundary(contentType = ''): void {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  if ((quoted ?? plain ?? '').length > 70) {
    throw new ServiceError('InvalidField', 'The boundary of the form has more than 70 characters.');
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

async function take<Input>(
  part: Multipart,
  found: Found<Input>,
  { parse, ...terms }: UploadTerms<Input> & { expectedBytes: number | undefined },
): Promise<void> {
  if (part.fieldname === 'json') {
    if (found.json !== undefined) throw twice('json');
    const sent = part.type === 'file' ? parseJson(await readText(part)) : fromField(part);
    found.json = { sent, input: parse(sent) };
  } else if (part.fieldname === 'file' && part.type === 'file') {
    if (found.staged !== undefined) throw twice('file');
    found.staged = await stageUpload(terms, bounded(part, terms.maxUploadBytes));
  } else if (part.fieldname === 'file') {
    throw new ServiceError('InvalidField', 'The part `file` has no file name, so it is not a file.', {
      recovery: 'Send it as a file: with curl, -F file=@photo.jpg',
    });
  } else {
    throw new ServiceError('InvalidField', `The part \`${part.fieldname ?? ''}\` is not known.`, {
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
  return decodeUtf8(Buffer.concat(chunks));
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
  if (maxBytes === MAX_JSON_BYTES) {
    return new ServiceError('PayloadTooLarge', 'The part `json` is larger than 1 MiB.');
  }
  return new ServiceError('PayloadTooLarge', `The file is larger than ${maxBytes} bytes.`, {
    recovery: 'Send a smaller file, or have the operator raise MAX_UPLOAD_BYTES.',
  });
}

function missing(part: string, what: string): ServiceError {
  return new ServiceError('MissingField', `The form has no part \`${part}\`: ${what}.`);
}

function twice(part: string): ServiceError {
  return new ServiceError('InvalidField', `The form has more than one part \`${part}\`.`);
}

/** What the multipart parser says, without a code, of a form that is malformed or ends too early. */
const PARSER_FAULTS = [
  'Multipart: Boundary not found',
  'Malformed part header',
  'Part terminated early due to unexpected end of multipart data',
  'Unexpected end of multipart data',
  'Unexpected end of form',
];

function fromParser(error: unknown): unknown {
  if (!(error instanceof Error) || !PARSER_FAULTS.includes(error.message)) return error;
  return new ServiceError('InvalidField', 'The form is malformed, or ended before it was complete.', {
    cause: error,
  });
}
