import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Limits of a form. */
export interface FormLimits {
  fileBytes: number;
  fieldBytes: number;
  files: number;
}

/** A file of a form on its way, or the part `json`. `isCut` once the parser has left bytes of it out. */
export interface StreamedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  isCut(): boolean;
}

/** A part without a file name that is not `json`. */
export interface TextPart {
  name: string;
  text: string;
  isCut(): boolean;
}

const TEXT_FIELDS = 10;

/** The parts of a form one after the other, as they come. */
export async function* streamForm(
  request: FastifyRequest,
  { fileBytes, fieldBytes, files }: FormLimits,
): AsyncGenerator<StreamedFile | TextPart> {
  assertBoundary(request.headers['content-type']);
  const parts = request.parts({
    // Bytes: the part `json`, whatever type its sender gives it, and what the multipart parser would read as JSON itself.
    isPartAFile: (name, type, filename) =>
      name === 'json' || filename !== undefined || /^application\/(octet-stream$|json)/.test(type ?? ''),
    limits: {
      fileSize: fileBytes,
      fieldSize: fieldBytes,
      files,
      fields: TEXT_FIELDS,
      parts: files + TEXT_FIELDS,
      headerPairs: 20,
      fieldNameSize: 100,
    },
  });
  for await (const part of parts) yield toPart(part);
}

function toPart(part: Multipart): StreamedFile | TextPart {
  const name = part.fieldname ?? '';
  if (part.type === 'file') return { name, bytes: part.file, isCut: () => part.file.truncated };
  return { name, text: String(part.value), isCut: () => part.valueTruncated };
}

/** RFC 2046 §5.1.1: a boundary has 1 to 70 characters. */
function assertBoundary(contentType = ''): void {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  if ((quoted ?? plain ?? '').length > 70) {
    throw new ServiceError('InvalidField', 'The boundary of the form has more than 70 characters.');
  }
}

/** Messages, without a code, of the multipart parser about a form that is malformed or ends too early. */
const PARSER_FAULTS = [
  'Multipart: Boundary not found',
  'Malformed part header',
  'Part terminated early due to unexpected end of multipart data',
  'Unexpected end of multipart data',
  'Unexpected end of form',
];

/** The error of the table for what the multipart parser throws. */
export function fromParser(error: unknown): unknown {
  if (!(error instanceof Error) || !PARSER_FAULTS.includes(error.message)) return error;
  return new ServiceError('InvalidField', 'The form is malformed, or ended before it was complete.', {
    cause: error,
  });
}
