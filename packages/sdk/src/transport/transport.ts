import { type Query, requireAddress, requireSendableKey, toQuery } from './address.js';
import { parseJson, toError, toNoAnswer } from './api-error.js';
import type { Preferences, RecordOptions, UploadOptions } from './call-options.js';
import { type Content, isRereadable, toBlob } from './content.js';
import { createDeadline, type Deadline } from './deadline.js';
import { type Form, isRepeatable, randomHex } from './form.js';
import { type Repetition, withRetries } from './retry.js';
import { sendForm } from './send-form.js';

/** `path`: below the address of the service. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Query;
  json?: unknown;
  form?: Form;
  /** Instead of JSON or a form. */
  raw?: { content: Content; type: string };
  headers?: Record<string, string>;
  /** The default is `harmless` for GET, PUT and PATCH, `keyed` for POST, and `never` for DELETE. */
  repetition?: Repetition;
  /** A status of 400 or above that counts as a success. */
  alsoAnswers?: number;
}

type AskOptions = UploadOptions & RecordOptions;

export interface Transport {
  /** Resolves to the JSON of the response. Throws `ApiError` for a rejection, `NoAnswerError` without a response. */
  ask<Answer>(ask: Ask, options?: AskOptions): Promise<Answer>;
  /** Resolves to the response with an unread body. The timeout has then ended; only `signal` can cancel the body. */
  open(ask: Ask, options?: AskOptions): Promise<Response>;
}

/** The address of the service, and options for every call of a client. */
export interface TransportOptions {
  /** Address of the service, such as `https://provenance.example`. */
  url: string;
  fetch?: typeof fetch | undefined;
  /**
   * Additional headers of every request. A function is called once for each call; repeated attempts send the same
   * headers.
   */
  headers?: Record<string, string> | (() => Record<string, string>) | undefined;
  /** Whether requests include cookies, as in `fetch`. */
  credentials?: RequestCredentials | undefined;
  /** Timeout of one attempt, in milliseconds; default: 60,000. */
  timeoutMs?: number | undefined;
  /** Maximum number of repetitions of a failed attempt; default: 2. */
  maxRetries?: number | undefined;
  /**
   * Maximum delay before a repetition, in milliseconds; default: 60,000. If a repetition needs a longer delay, the call
   * fails immediately.
   */
  maxRetryDelayMs?: number | undefined;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;
const MAX_RETRY_DELAY_MS = 60_000;

/** Throws TypeError for an invalid `url`. */
export function createTransport(
  options: TransportOptions & { authorization?: Record<string, string> },
): Transport {
  const given = { ...options, url: requireAddress(options.url) };
  const run = async <T>(
    ask: Ask,
    options: AskOptions,
    read: (answer: Response, url: string) => Promise<T>,
  ) => {
    requireSendableKey(given.authorization?.authorization);
    const headers = { ...given.authorization, ...headersOf(given), ...headersFor(ask, options) };
    const terms = {
      maxRetries: isOneShot(ask) ? 0 : (options.maxRetries ?? given.maxRetries ?? MAX_RETRIES),
      maxRetryDelayMs: given.maxRetryDelayMs ?? MAX_RETRY_DELAY_MS,
      repetition: repetitionOf(ask),
      signal: options.signal,
    };
    return withRetries(terms, () => attempt({ given, ask, options, headers }, read));
  };
  return {
    ask: <Answer>(ask: Ask, options: AskOptions = {}) => run(ask, options, readJson<Answer>),
    open: (ask, options = {}) => run(ask, options, async (answer) => answer),
  };
}

interface Attempt {
  given: TransportOptions;
  ask: Ask;
  options: AskOptions;
  headers: Record<string, string>;
}

async function attempt<T>(terms: Attempt, read: (answer: Response, url: string) => Promise<T>): Promise<T> {
  const { given, options } = terms;
  options.signal?.throwIfAborted();
  const waitMs = (options.prefer?.waitSeconds ?? 0) * 1000;
  const timeoutMs = options.timeoutMs ?? (given.timeoutMs ?? TIMEOUT_MS) + waitMs;
  const deadline = createDeadline({ timeoutMs, url: given.url }, options.signal);
  try {
    const answer = await send(terms, deadline);
    // The response can arrive before the form is sent completely.
    deadline.start();
    if (!answer.ok && answer.status !== terms.ask.alsoAnswers)
      throw toError(answer, await textOf(answer, given.url));
    return await read(answer, given.url);
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error;
  } finally {
    deadline.end();
  }
}

async function send({ given, ask, options, headers }: Attempt, deadline: Deadline): Promise<Response> {
  const url = `${given.url}${ask.path}${toQuery(ask.query)}`;
  const { credentials } = given;
  // The `fetch` of a browser throws when it is called as a method of another object than `window`.
  const { fetch } = given;
  if (ask.form !== undefined) {
    const { onProgress } = options;
    return sendForm({ url, headers, form: ask.form, onProgress, deadline, credentials, fetch });
  }
  const body = await bodyOf(ask);
  deadline.start();
  const init = {
    method: ask.method,
    headers,
    signal: deadline.signal,
    ...(body && { body }),
    ...(credentials && { credentials }),
  };
  return (fetch ?? globalThis.fetch)(url, init).catch((error: unknown) =>
    Promise.reject(toNoAnswer(error, url)),
  );
}

/** The connection can fail while the client reads the text. */
async function textOf(answer: Response, url: string): Promise<string> {
  return answer.text().catch((error: unknown) => Promise.reject(toNoAnswer(error, url)));
}

async function bodyOf({ json, raw }: Ask): Promise<BodyInit | undefined> {
  if (raw !== undefined) return toBlob(raw.content);
  return json === undefined ? undefined : JSON.stringify(json);
}

function headersOf({ headers }: TransportOptions): Record<string, string> {
  return typeof headers === 'function' ? headers() : (headers ?? {});
}

function headersFor(ask: Ask, { idempotencyKey, prefer }: AskOptions): Record<string, string> {
  const type = ask.raw?.type ?? (ask.json === undefined ? undefined : 'application/json');
  const isKeyed = repetitionOf(ask) === 'keyed';
  return {
    accept: 'application/json',
    ...(type && { 'content-type': type }),
    ...(isKeyed || idempotencyKey !== undefined
      ? { 'idempotency-key': idempotencyKey ?? randomHex(16) }
      : {}),
    ...(prefer && preferHeader(prefer)),
    ...ask.headers,
  };
}

/** RFC 7240. */
function preferHeader({ receipt, waitSeconds }: Preferences): Record<string, string> {
  const preferred = [
    ...(receipt ? ['return=representation'] : []),
    ...(waitSeconds === undefined ? [] : [`wait=${waitSeconds}`]),
  ];
  return preferred.length === 0 ? {} : { prefer: preferred.join(', ') };
}

function repetitionOf({ method, repetition }: Ask): Repetition {
  if (repetition !== undefined) return repetition;
  if (method === 'POST') return 'keyed';
  return method === 'DELETE' ? 'never' : 'harmless';
}

function isOneShot({ form, raw }: Ask): boolean {
  return (form !== undefined && !isRepeatable(form)) || (raw !== undefined && !isRereadable(raw.content));
}

async function readJson<Answer>(answer: Response, url: string): Promise<Answer> {
  const text = await textOf(answer, url);
  const value = parseJson(text);
  if (value === undefined) throw toError(answer, '');
  return value as Answer;
}
