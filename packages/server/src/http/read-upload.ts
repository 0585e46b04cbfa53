import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { decodeUtf8 } from './json-body.js';
import { parseJson } from './parse-json.js';

/** Largest `json` part, in bytes. */
const MAX_JSON_BYTES = 2 ** 20;
/** What a form may add to the file itself: boundaries, part headers and the `json` part. */
const FORM_OVERHEAD_BYTES = MAX_JSON_BYTES + 2 ** 16;

/** A file that was received whole and waits to be used or discarded. */
interface Staged {
  discard(): Promise<void>;
}

/** A form that was received whole: its file, other files by their part, and the `json` part as sent and as parsed. */
export interface Upload<Input, File extends Staged> {
  file: File;
  others: ReadonlyMap<string, File>;
  /** Plain text parts that the terms allow, by their names. */
  texts: ReadonlyMap<string, string>;
  json: unknown;
  input: Input;
  /** Discards every file. */
  discard(): Promise<void>;
}

/** Where files go, and how the `json` part is parsed as soon as it comes. */
export interface UploadTerms<Input, File extends Staged> {
  /** Takes a file's bytes; rejects, leaving nothing behind, when they fail before their end. */
  stage(bytes: AsyncIterable<Uint8Array>, expectedBytes?: number): Promise<File>;
  maxBytes: number;
  /** The variable that raises the limit. */
  limitName: string;
  parse(json: unknown): Input;
  /** Stands in for a `json` part that is not there. */
  jsonWhenAbsent?: unknown;
  /** Parts that may hold further files. */
  otherParts?: RegExp;
  /** Parts that may hold a short text. */
  textParts?: readonly string[];
}

interface Found<Input, File> {
  files: Map<string, File>;
  texts: Map<string, string>;
  /** How many bytes other files than the first may still have. */
  othersLeft: number;
  json?: { sent: unknown; input: Input };
}

/** Most files in a form, the first one included. */
const MAX_FILES = 101;

/**
 * Reads a form with the parts `file` and `json`, and such others as the terms allow, in any order. When this rejects,
 * no file is left.
 */
export async function readUpload<Input, File extends Staged>(
  request: FastifyRequest,
  terms: UploadTerms<Input, File>,
): Promise<Upload<Input, File>> {
  const { maxBytes, otherParts, jsonWhenAbsent } = terms;
  // Other files may have as many bytes together as the first one.
  const most = (otherParts === undefined ? maxBytes : 2 * maxBytes) + FORM_OVERHEAD_BYTES;
  const formBytes = readLength(request);
  if (formBytes !== undefined && formBytes > most) throw tooLarge(terms);
  assertBoundary(request.headers['content-type']);
  const found: Found<Input, File> = { files: new Map(), texts: new Map(), othersLeft: maxBytes };
  const discard = async () => {
    for (const file of found.files.values()) await file.discard();
  };
  try {
    for await (const part of openParts(request, terms))
      await take(part, found, { ...terms, expectedBytes: formBytes });
    const file = found.files.get('file');
    if (file === undefined) throw missing('file', 'the bytes');
    if (found.json === undefined && jsonWhenAbsent !== undefined) {
      found.json = { sent: jsonWhenAbsent, input: terms.parse(jsonWhenAbsent) };
    }
    if (found.json === undefined) throw missing('json', 'an object that tells who did what');
    const others = new Map([...found.files].filter(([name]) => name !== 'file'));
    return { file, others, texts: found.texts, json: found.json.sent, input: found.json.input, discard };
  } catch (error) {
    await discard();
    throw fromParser(error);
  }
}

/** What the whole form has; undefined when it comes in chunks. */
export function readLength({ headers }: FastifyRequest): number | undefined {
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

function openParts(
  request: FastifyRequest,
  { maxBytes, otherParts }: Pick<UploadTerms<unknown, Staged>, 'maxBytes' | 'otherParts'>,
): AsyncIterable<Multipart> {
  const files = otherParts === undefined ? 2 : MAX_FILES;
  return request.parts({
    limits: {
      fileSize: Math.max(maxBytes, MAX_JSON_BYTES),
      fieldSize: MAX_JSON_BYTES,
      files,
      fields: 10,
      parts: files + 10,
      headerPairs: 20,
      fieldNameSize: 100,
    },
  });
}

async function take<Input, File extends Staged>(
  part: Multipart,
  found: Found<Input, File>,
  terms: UploadTerms<Input, File> & { expectedBytes: number | undefined },
): Promise<void> {
  const { fieldname: name } = part;
  if (name === 'json') {
    if (found.json !== undefined) throw twice('json');
    const sent = part.type === 'file' ? parseJson(await readText(part), 'the part `json`') : fromField(part);
    found.json = { sent, input: terms.parse(sent) };
  } else if (part.type !== 'file' && terms.textParts?.includes(name)) {
    if (part.valueTruncated) throw tooLarge(JSON_LIMIT);
    found.texts.set(name, String(part.value));
  } else if (name !== 'file' && terms.otherParts?.test(name ?? '') !== true) {
    throw new ServiceError('InvalidField', `The part \`${name ?? ''}\` is not known.`, {
      recovery: 'Send exactly two parts: `file` and `json`.',
    });
  } else if (part.type !== 'file') {
    throw new ServiceError('InvalidField', `The part \`${name}\` has no file name, so it is not a file.`, {
      recovery: 'Send it as a file: with curl, -F file=@photo.jpg',
    });
  } else {
    if (found.files.has(name)) throw twice(name);
    const isFirst = name === 'file';
    const maxBytes = isFirst ? terms.maxBytes : found.othersLeft;
    const count = (sizeBytes: number) => {
      if (!isFirst) found.othersLeft -= sizeBytes;
    };
    found.files.set(
      name,
      await terms.stage(bounded(part, { ...terms, maxBytes }, count), terms.expectedBytes),
    );
  }
}

/** The file's bytes; fails after the last one when the parser cut it short at the limit. */
async function* bounded(
  part: MultipartFile,
  limit: Limit,
  count: (sizeBytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const chunk of part.file) {
    sizeBytes += chunk.length;
    count(chunk.length);
    if (sizeBytes > limit.maxBytes) throw tooLarge(limit);
    yield chunk;
  }
  if (part.file.truncated) throw tooLarge(limit);
}

async function readText(part: MultipartFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(part, JSON_LIMIT)) chunks.push(chunk);
  return decodeUtf8(Buffer.concat(chunks));
}

/** A part declared as JSON was parsed already. */
function fromField(part: Exclude<Multipart, MultipartFile>): unknown {
  if (part.valueTruncated) throw tooLarge(JSON_LIMIT);
  return typeof part.value === 'string' && part.mimetype !== 'application/json'
    ? parseJson(part.value, 'the part `json`')
    : part.value;
}

type Limit = { maxBytes: number; limitName?: string };
const JSON_LIMIT: Limit = { maxBytes: MAX_JSON_BYTES };

function tooLarge({ maxBytes, limitName }: Limit): ServiceError {
  if (limitName === undefined) {
    return new ServiceError('PayloadTooLarge', 'The part `json` is larger than 1 MiB.');
  }
  return new ServiceError('PayloadTooLarge', `The file is larger than ${maxBytes} bytes.`, {
    recovery: `Send a smaller file, or have the operator raise ${limitName}.`,
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
