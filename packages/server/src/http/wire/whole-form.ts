import type { Readable } from 'node:stream';
import { createCollector, readUntil } from './receive-body.js';

/** A form up to this size is received completely before its parts are read. */
export const WHOLE_FORM_BYTES = 2 ** 18;

/** A file, or the part `json`. */
export interface WholePart {
  name: string;
  /** Absent for a part without a file name. */
  fileName: string | undefined;
  bytes: Buffer;
}

/**
 * Receives a complete body of announced length. When `read` returns undefined, the next reader of the stream gets the
 * same bytes again. When `read` returns parts, the caller has to resume the stream. Rejects when the sender
 * disconnects.
 */
export function receiveWhole<Parts>(
  raw: Readable,
  sizeBytes: number,
  read: (body: Buffer) => Parts | undefined,
): Promise<Parts | undefined> {
  const collector = createCollector(sizeBytes);
  const received = readUntil(raw, {
    take(chunk) {
      if (collector.add(chunk) < sizeBytes) return undefined;
      raw.pause();
      const body = collector.body();
      const parts = read(body);
      // Put the bytes back synchronously: a stream that has delivered its last bytes ends before a promise continues.
      if (parts === undefined) raw.unshift(body);
      return { parts };
    },
  });
  return received.then(({ parts }) => parts);
}

const MAX_PARTS = 10;
const MAX_HEADER_BYTES = 1024;
const CONTENT_TYPE = /^multipart\/form-data; ?boundary=(?:([\w'+.-]{1,70})|"([\w'()+,./:=?-]{1,70})")$/i;
const DISPOSITION = /form-data; name="([\w.[\]-]{1,100})"(; filename="([^"\\\r\n]*)")?/;
const MEDIA_TYPE = /[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?/;
const HEADERS = new RegExp(
  `^\\r\\nContent-Disposition: ${DISPOSITION.source}(?:\\r\\nContent-Type: ${MEDIA_TYPE.source})?$`,
  'i',
);

/**
 * Splits a form in the usual layout of browsers, curl and HTTP libraries (RFC 7578) without copying. Undefined when
 * only the multipart parser can read the form: another layout, or a text part other than `json`.
 */
export function splitForm(body: Buffer, contentType: string): WholePart[] | undefined {
  const [, plain, quoted] = CONTENT_TYPE.exec(contentType) ?? [];
  const boundary = plain ?? quoted;
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  if (body.indexOf(delimiter.subarray(2)) !== 0) return undefined;
  const parts: WholePart[] = [];
  for (let at = delimiter.length - 2; ; ) {
    if (body.toString('latin1', at, at + 2) === '--') return parts;
    const part = parts.length < MAX_PARTS ? readPart(body, at, delimiter) : undefined;
    if (part === undefined) return undefined;
    parts.push({ name: part.name, fileName: part.fileName, bytes: body.subarray(part.start, part.end) });
    at = part.end + delimiter.length;
  }
}

/** Reads the part after the delimiter that ends at `at`; undefined for an unusual layout. */
function readPart(body: Buffer, at: number, delimiter: Buffer) {
  const headersEnd = body.indexOf('\r\n\r\n', at + 2);
  if (headersEnd === -1 || headersEnd - at > MAX_HEADER_BYTES) return undefined;
  const named = readName(body.toString('latin1', at, headersEnd));
  const start = headersEnd + 4;
  // The delimiter can begin with the last line break of the headers. Then `end` is less than `start`.
  const end = body.indexOf(delimiter, start - 2);
  return named === undefined || end < start ? undefined : { ...named, start, end };
}

function readName(headers: string): Pick<WholePart, 'name' | 'fileName'> | undefined {
  const [, name, parameter, fileName] = HEADERS.exec(headers) ?? [];
  if (name === undefined || name in Object.prototype) return undefined;
  if (name !== 'json' && parameter === undefined) return undefined;
  // RFC 7578 §4.2: file names are in UTF-8.
  return { name, fileName: fileName && Buffer.from(fileName, 'latin1').toString() };
}
