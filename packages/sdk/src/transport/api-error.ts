import type { ErrorBody, ErrorCode } from '@colophon/model';

/** The data of an error that is not in the body of the response. */
interface Origin {
  status: number;
  retryAfterMs?: number | undefined;
}

/**
 * Error when the service rejects a request. `code` is one of `ERROR_CODES` (`@colophon/model`). `message` states the
 * problem, and `recovery` states what to do. The shape of `details` depends on the code. An operator can find the
 * request by `requestId`. `retryAfterMs` is the delay that the service requests, in milliseconds.
 *
 * @example
 * const refusal = await colophon.actions.get('00000000-0000-4000-8000-000000000000').catch((error) => error);
 * refusal instanceof ApiError; // => true
 * [refusal.code, refusal.status]; // => ['NotFound', 404]
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly recovery: string | undefined;
  readonly details: unknown;
  readonly requestId: string;
  readonly retryAfterMs: number | undefined;

  constructor({ code, message, recovery, details, requestId }: ErrorBody['error'], origin: Origin) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = origin.status;
    this.recovery = recovery;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = origin.retryAfterMs;
  }
}

/**
 * The reason why the client received no response from the service: no connection, a timeout, or a response from another
 * server.
 */
export type NoAnswerReason = 'unreachable' | 'late' | 'foreign';

/**
 * Error when the client received no response from the service. `unreachable`: the connection failed. `late`: no
 * response came within `timeoutMs`. `foreign`: the response came from another server, such as a proxy. It is unknown
 * whether the service processed the request. `status` and `retryAfterMs` are those of a foreign response.
 */
export class NoAnswerError extends Error {
  readonly reason: NoAnswerReason;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(reason: NoAnswerReason, message: string, more: Partial<Origin> & { cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'NoAnswerError';
    this.reason = reason;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** A TypeError of `fetch` means that there is no connection. */
export function toNoAnswer(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError)) return error;
  const message = `No response from ${originOf(url)} (${describeCause(error)}).`;
  return new NoAnswerError('unreachable', message, { cause: error });
}

/** Node's `fetch failed` has a cause for each IP address of a host. */
function describeCause(error: Error): string {
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (first instanceof Error) return describeCause(first);
  return error.message || ((error as { code?: string }).code ?? error.name);
}

/** On a page, the address may be relative. */
export function originOf(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).origin;
}

/** `details` of a `Duplicate` error: `cid` of the recorded content, and `actionId` of the action that recorded it. */
export interface DuplicateDetails {
  cid: string;
  similarity: 1;
  actionId: string;
  /** True when the bytes of the recorded content were missing and this request restored them. */
  restored?: boolean;
}

/**
 * Returns the existing record when the error is a `Duplicate`, otherwise undefined. An action can use the CID of this
 * record as an input, so the content needs no new recording.
 *
 * @example
 * const ann = { entity: { role: 'human', name: 'Ann' } };
 * const first = await colophon.file(new TextEncoder().encode('a poem'), ann);
 * const error = await colophon.file(new TextEncoder().encode('a poem'), ann).catch((caught) => caught);
 * duplicateOf(error)?.cid === first.cid; // => true
 */
export function duplicateOf(error: unknown): DuplicateDetails | undefined {
  if (!(error instanceof ApiError) || error.code !== 'Duplicate') return undefined;
  return error.details as DuplicateDetails;
}

/** The response can be from any server. */
export function toError(answer: Response, text: string): ApiError | NoAnswerError {
  const origin = { status: answer.status, retryAfterMs: readRetryAfter(answer.headers.get('retry-after')) };
  const error = readErrorBody(text);
  if (error !== undefined) return new ApiError(error, origin);
  const type = answer.headers.get('content-type') ?? 'no media type';
  const from = answer.url === '' ? '' : ` of ${originOf(answer.url)}`;
  const message = `The response${from} (status ${answer.status}, ${type}) is not from Colophon. Check the address in \`url\`.`;
  return new NoAnswerError('foreign', message, origin);
}

function readErrorBody(text: string): ErrorBody['error'] | undefined {
  const { error } = (parseJson(text) ?? {}) as Partial<ErrorBody>;
  const isOurs = [error?.code, error?.message, error?.requestId].every((text) => typeof text === 'string');
  return isOurs ? error : undefined;
}

/** Returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the content type instead
  }
}

/** Parses `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
