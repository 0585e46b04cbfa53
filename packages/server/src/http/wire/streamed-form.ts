import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';

export interface FormLimits {
  fileBytes: number;
  fieldBytes: number;
  files: number;
}

/** A part that is read as bytes. `isCut`: whether the parser dropped bytes above the limit. */
export interface StreamedFile {
  name: string;
  /** Absent for a part without a file name. */
  fileName: string | undefined;
  bytes: AsyncIterable<Uint8Array>;
  isCut(): boolean;
}

export interface TextPart {
  name: string;
  text: string;
  isCut(): boolean;
}

const TEXT_FIELDS = 10;

export async function* streamForm(
  request: FastifyRequest,
  { fileBytes, fieldBytes, files }: FormLimits,
): AsyncGenerator<StreamedFile | TextPart> {
  assertBoundary(request.headers['content-type']);
  const parts = request.parts({
    // A part with JSON counts as a file. If it counted as text, the parser itself would parse the JSON.
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
  if (part.type === 'file')
    return { name, fileName: part.filename, bytes: part.file, isCut: () => part.file.truncated };
  return { name, text: String(part.value), isCut: () => part.valueTruncated };
}

/** RFC 2046 §5.1.1. */
function assertBoundary(contentType = ''): void {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  if ((quoted ?? plain ?? '').length > 70) {
    throw new ServiceError('InvalidField', 'The boundary of the form has more than 70 characters.');
  }
}

/** Parser errors without a code. They mean that the form is malformed or incomplete. */
const PARSER_FAULTS = [
  'Multipart: Boundary not found',
  'Malformed part header',
  'Part terminated early due to unexpected end of multipart data',
  'Unexpected end of multipart data',
  'Unexpected end of form',
];

export function fromParser(error: unknown): unknown {
  if (!(error instanceof Error) || !PARSER_FAULTS.includes(error.message)) return error;
  return new ServiceError('InvalidField', 'The form is malformed, or ended before it was complete.', {
    cause: error,
  });
}
