import type { ErrorBody, ErrorCode } from '@colophon/model';

/** The origin of an error answer. */
interface Origin {
  status: number;
  retryAfterMs?: number | undefined;
}

/**
 * Thrown when the service rejects a request. `code` is one of `ERROR_CODES` of the model. `message` states the
 * problem, and `recovery` the remedy. The shape of `details` depends on the code. An operator finds the request by
 * `requestId`. `retryAfterMs` is the delay that the service requests, in milliseconds.
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

/** Why there is no answer: no connection, a timeout, or an answer from another server. */
export type NoAnswerReason = 'unreachable' | 'late' | 'foreign';

/**
 * Thrown without an answer of the service. `reason`: `unreachable`, the connection failed; `late`, no answer came
 * within `timeoutMs`; `foreign`, the answer comes from another server, such as a proxy. The request may have been
 * processed or not. `status` and `retryAfterMs` are those of a foreign answer.
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

/** Converts a failure of `fetch` for this address; its TypeError means that there is no connection. */
export function toNoAnswer(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError)) return error;
  const message = `No answer from ${originOf(url)} (${describeCause(error)}).`;
  return new NoAnswerError('unreachable', message, { cause: error });
}

/**
 * The innermost cause of an error. Node's `fetch failed` has it as its cause, one for each address of a host name.
 */
function describeCause(error: Error): string {
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (first instanceof Error) return describeCause(first);
  return error.message || ((error as { code?: string }).code ?? error.name);
}

/** Scheme, host and port of an address; on a page, the address may be relative to the page. */
export function originOf(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).origin;
}

/** The details of a `Duplicate`: the same bytes are recorded as `cid`, by the action `actionId`. */
export interface DuplicateDetails {
  cid: string;
  similarity: 1;
  actionId: string;
  /** True when the bytes of the recorded content were missing and this request restored them. */
  restored?: boolean;
}

/**
 * The existing record behind a rejected recording; undefined for another error. Use the content's CID as an input
 * immediately: a new recording is not necessary.
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

/** The error in an answer, from any server. */
export function toError(answer: Response, text: string): ApiError | NoAnswerError {
  const origin = { status: answer.status, retryAfterMs: readRetryAfter(answer.headers.get('retry-after')) };
  const error = readErrorBody(text);
  if (error !== undefined) return new ApiError(error, origin);
  const type = answer.headers.get('content-type') ?? 'no media type';
  const from = answer.url === '' ? '' : ` of ${originOf(answer.url)}`;
  const message = `The answer${from} does not come from this service: status ${answer.status}, ${type}. Check that \`url\` is its address.`;
  return new NoAnswerError('foreign', message, origin);
}

function readErrorBody(text: string): ErrorBody['error'] | undefined {
  const { error } = (parseJson(text) ?? {}) as Partial<ErrorBody>;
  const isOurs = [error?.code, error?.message, error?.requestId].every((text) => typeof text === 'string');
  return isOurs ? error : undefined;
}

/** The JSON value of a text; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the content type instead
  }
}

/** `Retry-After` (RFC 9110 §10.2.3), seconds or a date, in milliseconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
