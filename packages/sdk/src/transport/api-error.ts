import type { ErrorBody, ErrorCode } from '@colophon/model';

/** Where an error answer came from. */
interface Origin {
  status: number;
  retryAfterMs?: number | undefined;
}

/**
 * The service refused a request. `code` is one of `ERROR_CODES` of the model, `message` says what was wrong,
 * `recovery` what to do about it, and `details` particulars whose shape depends on the code. `requestId` is what an
 * operator finds the request by. `retryAfterMs`: how long the service asks to wait, in milliseconds.
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

/** Why there is no answer: nobody answered, too late, or somebody else did. */
export type NoAnswerReason = 'unreachable' | 'late' | 'foreign';

/**
 * There is no answer of the service. `reason`: `unreachable`, the connection failed; `late`, none came within
 * `timeoutMs`; `foreign`, what came is not of this service, such as a proxy's page. Whether the request was carried out
 * is not known. `status` and `retryAfterMs` are those of a foreign answer.
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

/** The failure of `fetch` for this address: its TypeError says that nobody answered. */
export function toNoAnswer(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError)) return error;
  const message = `No service answers: ${originOf(url)} (${describeCause(error)}).`;
  return new NoAnswerError('unreachable', message, { cause: error });
}

/** The reason at the bottom of an error. Node's `fetch failed` has it as its cause, one for each address of a name. */
function describeCause(error: Error): string {
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (first instanceof Error) return describeCause(first);
  return error.message || ((error as { code?: string }).code ?? error.name);
}

/** Scheme, host and port of an address; on a page it may be relative to the page. */
export function originOf(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).origin;
}

/** What a `Duplicate` says: the same bytes are recorded as `cid`, by the action `actionId`. */
export interface DuplicateDetails {
  cid: string;
  similarity: 1;
  actionId: string;
  /** The recorded content's bytes had been lost and are there again. */
  restored?: boolean;
}

/**
 * What a refused recording was a duplicate of; undefined when the error is another one. The content's CID can be used
 * as an input at once: no new recording is needed.
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

/** The error that an answer holds, whoever it is from. */
export function toError(answer: Response, text: string): ApiError | NoAnswerError {
  const origin = { status: answer.status, retryAfterMs: readRetryAfter(answer.headers.get('retry-after')) };
  const error = readErrorBody(text);
  if (error !== undefined) return new ApiError(error, origin);
  const type = answer.headers.get('content-type') ?? 'no media type';
  const from = answer.url === '' ? '' : ` of ${originOf(answer.url)}`;
  const message = `The answer${from} is not one of this service: status ${answer.status}, ${type}. Is \`url\` its address?`;
  return new NoAnswerError('foreign', message, origin);
}

function readErrorBody(text: string): ErrorBody['error'] | undefined {
  const { error } = (parseJson(text) ?? {}) as Partial<ErrorBody>;
  const isOurs = [error?.code, error?.message, error?.requestId].every((text) => typeof text === 'string');
  return isOurs ? error : undefined;
}

/** The JSON value of a text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller tells what came instead
  }
}

/** `Retry-After` (RFC 9110 §10.2.3), seconds or a date, in milliseconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
