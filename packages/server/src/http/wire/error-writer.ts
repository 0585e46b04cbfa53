import { maxHeaderSize, STATUS_CODES } from 'node:http';
import { ERROR_CODES, type ErrorBody, type ErrorCode } from '@colophon/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors.js';
import { answerHeaders } from './answer-headers.js';
import { notePreference, readPreferences } from './preferences.js';
import { unsupportedType } from './unsupported-type.js';

/** Sends an error of the error table in the form of `errorSchema`. Unknown errors are logged and become `Internal`. */
export function writeError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = ofRequest(error, request) ?? toServiceError(error);
  request.metBound ??= known.bound;
  // A caller can cause many `Unavailable` errors without a cause, so they are only warnings.
  if (known.code === 'Unavailable' && known.cause === undefined) request.log.warn(known.message);
  else if (known.status >= 500)
    request.log.error({ err: describeCause(known.cause ?? error) }, known.message);
  if (prefersNoContent(known, request)) {
    notePreference(reply, 'absent=no-content');
    return reply.code(204).headers(known.headers).send();
  }
  return reply
    .code(known.status)
    .headers(known.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toBody(known, request.id)));
}

function prefersNoContent({ code }: ServiceError, { routeOptions, headers }: FastifyRequest): boolean {
  return (
    code === 'NotFound' &&
    routeOptions.config?.allowsNoContent === true &&
    readPreferences(headers.prefer).noContent === true
  );
}

function ofRequest(error: unknown, request: FastifyRequest): ServiceError | undefined {
  switch ((error as ForeignError | undefined)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return unsupportedType(request);
    default:
      return undefined;
  }
}

export function tooLarge({ routeOptions }: FastifyRequest): ServiceError {
  return new ServiceError(
    'PayloadTooLarge',
    `The JSON body is larger than ${routeOptions.bodyLimit} bytes.`,
    {
      recovery: 'Send smaller requests; upload large content as a file.',
    },
  );
}

/** Omits the values that a database puts into the details of its errors. */
function describeCause(cause: unknown): object {
  if (!(cause instanceof Error)) return { message: String(cause) };
  const { name, message, stack } = cause;
  const code = 'code' in cause ? cause.code : undefined;
  return {
    type: name,
    message,
    code,
    stack,
    ...(cause.cause === undefined ? {} : { cause: describeCause(cause.cause) }),
  };
}

function toBody(error: ServiceError, requestId: string): ErrorBody {
  const { code, message, recovery, details } = error;
  return {
    error: { code, message, recovery, ...(details === undefined ? {} : { details }), requestId },
  };
}

/** Returns the response to a request that the HTTP parser rejected, as a complete HTTP/1.1 message (RFC 9112). */
export function toRawAnswer(error: unknown, requestId: string): string {
  const known = error instanceof ServiceError ? error : fromParser(error as ParserError);
  const body = JSON.stringify(toBody(known, requestId));
  const { status } = known;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries({ ...answerHeaders(), ...known.headers }).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** `rawPacket` is the packet in which the parser failed. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

function fromParser(error: ParserError): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW' && isInRequestLine(error))
    return new ServiceError('UriTooLong', `The URI is longer than ${maxHeaderSize} bytes.`);
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('HeadersTooLarge', 'The headers are too large.');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ServiceError('Timeout', 'The request was not received in time.');
  }
  return new ServiceError('InvalidField', 'This is not a well-formed HTTP/1.1 request.');
}

function isInRequestLine({ rawPacket }: ParserError): boolean {
  if (rawPacket === undefined || !/^[A-Z-]+ /.test(rawPacket.toString('latin1', 0, 32))) return false;
  const end = rawPacket.indexOf('\n');
  return end === -1 ? rawPacket.length >= maxHeaderSize : end >= maxHeaderSize;
}

/** Codes for foreign errors that are not in `FOREIGN`; several codes have the same status. */
const USUAL: Record<number, ErrorCode> = { 400: 'InvalidField', 409: 'Conflict' };

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

interface ForeignError {
  code?: unknown;
  statusCode?: unknown;
}

/** Errors of the web framework, its multipart parser and Node. */
const FOREIGN: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: ['InvalidField', 'The JSON body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['InvalidField', 'The body is not well-formed JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['InvalidField', 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: ['InvalidField', 'The path is not a valid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['UriTooLong', 'A part of the path is too long.'],
  FST_PARTS_LIMIT: ['PayloadTooLarge', 'The form has too many parts.'],
  FST_FILES_LIMIT: ['PayloadTooLarge', 'The form has more than one file.'],
  FST_FIELDS_LIMIT: ['PayloadTooLarge', 'The form has too many fields.'],
  FST_PROTO_VIOLATION: ['InvalidField', 'A part has a name that is not allowed.'],
  FST_INVALID_JSON_FIELD_ERROR: ['InvalidField', 'A part declared as JSON is not well-formed JSON.'],
  FST_MP_PREMATURE_CLOSE: ['InvalidField', 'The connection closed before the form was complete.'],
  ECONNRESET: ['InvalidField', 'The connection closed before the request was complete.'],
  ERR_STREAM_PREMATURE_CLOSE: ['InvalidField', 'The connection closed before the request was complete.'],
};

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, statusCode } = (error ?? {}) as ForeignError;
  const entry = FOREIGN[String(code)];
  if (entry !== undefined) return new ServiceError(entry[0], entry[1], { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const known = USUAL[statusCode] ?? CODES.find((one) => ERROR_CODES[one].statuses[0] === statusCode);
    if (known === undefined)
      return new ServiceError('InvalidField', ERROR_CODES.InvalidField.meaning, { cause: error });
    return new ServiceError(known, ERROR_CODES[known].meaning, { cause: error });
  }
  return new ServiceError('Internal', 'The service failed with an unexpected error.', { cause: error });
}
