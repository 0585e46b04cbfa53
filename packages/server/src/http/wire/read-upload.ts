import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { MAX_JSON_BYTES } from '../app.js';
import { type AllowedParts, missing, notAllowed, tooLarge, tooLongText, twice } from './form-errors.js';
import { bounded, collect, isWhole, type Limit } from './part-bytes.js';
import { fromParser, type StreamedFile, streamForm, type TextPart } from './streamed-form.js';
import { receiveWhole, splitForm, WHOLE_FORM_BYTES, type WholePart } from './whole-form.js';

/** Maximum size of boundaries, part headers and the `json` part. */
const FORM_OVERHEAD_BYTES = MAX_JSON_BYTES + 2 ** 16;

interface Staged {
  discard(): Promise<void>;
}

/** A complete form. `texts` and `others` are by part name; `json` is raw, `input` is parsed. */
export interface Upload<Input, File extends Staged> {
  file: File;
  /** File name on the sender's device, as the form states it. */
  fileName: string | undefined;
  others: ReadonlyMap<string, File>;
  texts: ReadonlyMap<string, string>;
  json: unknown;
  input: Input;
  discard(): Promise<void>;
}

export interface UploadOptions<Input, File extends Staged> extends AllowedParts {
  /** When the stream fails before its end, the promise rejects and nothing is stored. */
  stage(bytes: AsyncIterable<Uint8Array>, expectedBytes?: number): Promise<File>;
  /** Stages a small file that is already in memory. By default, `stage` does this. */
  stageWhole?: ((bytes: Uint8Array) => Promise<File>) | undefined;
  maxBytes: number;
  limitName: string;
  parse(json: unknown): Input;
  /** Replaces a missing `json` part. */
  jsonWhenAbsent?: unknown;
}

interface FoundUpload<Input, File> {
  files: Map<string, File>;
  fileName?: string | undefined;
  texts: Map<string, string>;
  /** Bytes that all files except `file` may still have together. */
  othersLeft: number;
  json?: { sent: unknown; input: Input };
}

/** Maximum number of files in a form with further files. `file` and `json` count as files here. */
const MAX_FILES = 102;

type FormPart = WholePart | StreamedFile | TextPart;
type ReadUploadOptions<Input, File extends Staged> = UploadOptions<Input, File> & {
  expectedBytes: number | undefined;
  request: FastifyRequest;
};

/** Reads a form with its parts in any order. Deletes all files before the promise rejects. */
export async function readUpload<Input, File extends Staged>(
  request: FastifyRequest,
  options: UploadOptions<Input, File>,
): Promise<Upload<Input, File>> {
  const { maxBytes, otherParts, jsonWhenAbsent } = options;
  // All other files together have the same limit as the part `file`.
  const most = (otherParts === undefined ? maxBytes : 2 * maxBytes) + FORM_OVERHEAD_BYTES;
  const formBytes = readLength(request);
  if (formBytes !== undefined && formBytes > most) {
    const message = `The form is larger than ${most} bytes. A file can have at most ${maxBytes} bytes.`;
    throw tooLarge(message, options);
  }
  const found: FoundUpload<Input, File> = { files: new Map(), texts: new Map(), othersLeft: maxBytes };
  const discard = async () => {
    for (const file of found.files.values()) await file.discard();
  };
  try {
    await takeParts(found, { ...options, expectedBytes: formBytes, request });
    const file = found.files.get('file');
    if (file === undefined) throw missing('file', 'the bytes');
    if (found.json === undefined && jsonWhenAbsent !== undefined) {
      found.json = { sent: jsonWhenAbsent, input: options.parse(jsonWhenAbsent) };
    }
    if (found.json === undefined) throw missing('json', 'an object that states who did what');
    const others = new Map([...found.files].filter(([name]) => name !== 'file'));
    const { fileName, texts, json } = found;
    return { file, fileName, others, texts, json: json.sent, input: json.input, discard };
  } catch (error) {
    await discard();
    throw fromParser(error);
  }
}

/** Returns undefined for a chunked body. */
export function readLength({ headers }: FastifyRequest): number | undefined {
  const { 'content-length': length } = headers;
  return length === undefined ? undefined : Number(length);
}

async function takeParts<Input, File extends Staged>(
  found: FoundUpload<Input, File>,
  options: ReadUploadOptions<Input, File>,
): Promise<void> {
  const { request } = options;
  const whole = await receiveParts(request, options.expectedBytes);
  if (whole !== undefined) {
    for (const part of whole) await take(part, found, options);
    return;
  }
  const limits = {
    fileBytes: Math.max(options.maxBytes, MAX_JSON_BYTES),
    fieldBytes: MAX_JSON_BYTES,
    files: options.otherParts === undefined ? 2 : MAX_FILES,
  };
  for await (const part of streamForm(request, limits)) await take(part, found, options);
}

/** Returns undefined when only the multipart parser can read the form. */
async function receiveParts(request: FastifyRequest, formBytes = 0): Promise<WholePart[] | undefined> {
  const { raw, headers } = request;
  if (formBytes === 0 || formBytes > WHOLE_FORM_BYTES || !request.isMultipart()) return undefined;
  const parts = await receiveWhole(raw, formBytes, (body) => splitForm(body, headers['content-type'] ?? ''));
  if (parts !== undefined) raw.resume();
  return parts;
}

async function take<Input, File extends Staged>(
  part: FormPart,
  found: FoundUpload<Input, File>,
  options: ReadUploadOptions<Input, File>,
): Promise<void> {
  const { name } = part;
  if (name === 'json' && 'bytes' in part && options.hasNoJson !== true) {
    await takeJson(part, found, options);
  } else if ('text' in part && options.textParts?.includes(name)) {
    if (part.isCut()) throw tooLongText(name);
    found.texts.set(name, part.text);
  } else if (name !== 'file' && options.otherParts?.names.test(name) !== true) {
    throw notAllowed(name, options);
  } else if ('text' in part) {
    throw new ServiceError('InvalidField', `The part \`${name}\` has no file name, so it is not a file.`, {
      recovery: `Send it as a file: with curl, -F ${name}=@photo.jpg`,
    });
  } else {
    if (found.files.has(name)) throw twice(name);
    const isFirst = name === 'file';
    const limit = isFirst ? limitOfFile(options) : limitOfOthers(options, found.othersLeft);
    const count = (sizeBytes: number) => {
      if (!isFirst) found.othersLeft -= sizeBytes;
    };
    if (isFirst) found.fileName = unescapeName(part.fileName);
    found.files.set(name, await stageFile(part, { options, limit, count }));
  }
}

/** Reverts the escapes of file names (WHATWG HTML, multipart/form-data encoding algorithm). */
function unescapeName(name: string | undefined): string | undefined {
  return name?.replace(/%22|%0D|%0A/g, decodeURIComponent);
}

async function takeJson<Input, File extends Staged>(
  part: WholePart | StreamedFile,
  found: FoundUpload<Input, File>,
  { parse, request }: ReadUploadOptions<Input, File>,
): Promise<void> {
  if (found.json !== undefined) throw twice('json');
  const bytes = await collect(part);
  await request.beginParse?.(bytes);
  try {
    const sent = request.server.json.read({
      bytes,
      name: 'the part `json`',
      onMeasured: request.countParsed,
    });
    found.json = { sent, input: parse(sent) };
  } finally {
    request.endParse?.();
    // The rest of the form may take an hour to arrive, so the memory reservation of the part `json` ends now.
    request.dropBody?.();
  }
}

type LimitOptions = Pick<UploadOptions<unknown, Staged>, 'maxBytes' | 'limitName'>;

function limitOfFile({ maxBytes, limitName }: LimitOptions): Limit {
  return { maxBytes, toError: () => tooLarge(`The file is larger than ${maxBytes} bytes.`, { limitName }) };
}

/** `left`: bytes that remain of the common limit of all files except `file`. */
function limitOfOthers({ maxBytes, limitName }: LimitOptions, left: number): Limit {
  const message = `The files in the other parts are together larger than ${maxBytes} bytes.`;
  return { maxBytes: left, toError: () => tooLarge(message, { limitName }) };
}

interface UploadBounds<File extends Staged> {
  options: ReadUploadOptions<unknown, File>;
  limit: Limit;
  count: (sizeBytes: number) => void;
}

function stageFile<File extends Staged>(
  part: WholePart | StreamedFile,
  { options, limit, count }: UploadBounds<File>,
): Promise<File> {
  if (options.stageWhole === undefined || !isWhole(part)) {
    return options.stage(bounded(part, limit, count), options.expectedBytes);
  }
  const { bytes } = part;
  count(bytes.length);
  if (bytes.length > limit.maxBytes) throw limit.toError();
  return options.stageWhole(bytes);
}
