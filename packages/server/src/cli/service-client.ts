import type { ErrorBody } from '@colophon/model';
import type { ClientConfig } from '../config/client.js';
import { UnreadableError } from './open-file.js';
import { UsageError } from './usage.js';

/** What a request to the service carries. */
export interface Ask {
  method?: string;
  json?: unknown;
  /** A body as it is sent, and its media type. */
  stream?: { body: AsyncIterable<Uint8Array>; type: string };
}

/** A running service, as the command line talks to it. */
export interface ServiceClient {
  /** The answer to a `/v1` request. Throws what the service says when it refuses. */
  ask(path: string, ask?: Ask): Promise<unknown>;
  /** The answer to a `/management` request. */
  manage(path: string, ask?: Ask): Promise<unknown>;
}

/** The service refused; says why and what to do. */
export class RefusalError extends Error {
  readonly code: ErrorBody['error']['code'];

  constructor({ code, message, recovery, details }: ErrorBody['error']) {
    super(details === undefined && recovery !== undefined ? `${message} ${recovery}` : message);
    this.name = 'RefusalError';
    this.code = code;
  }
}

const ANSWER_MS = 60_000;

/**
 * A client of the service at `url`; its secrets are asked for when they are first needed. An answer that has not
 * come `answerMs` after the request was sent is not waited for.
 */
export function createServiceClient(config: ClientConfig, { answerMs = ANSWER_MS } = {}): ServiceClient {
  const { origin } = new URL(config.url);
  const send = (path: string, headers: Record<string, string>, ask: Ask) =>
    translated(origin, () => exchange({ url: config.url + path, headers, ask, answerMs }));
  return {
    ask: async (path, ask = {}) => {
      const key = requireSecret('COLOPHON_API_KEY', config.apiKey);
      return send(path, { authorization: `Bearer ${key}` }, ask);
    },
    manage: async (path, ask = {}) => {
      const secret = requireSecret('MANAGEMENT_API_KEY', config.managementKey);
      const headers = { authorization: `Bearer ${secret}`, 'x-user-id': config.userId };
      return send(`/management${path}`, headers, ask);
    },
  };
}

function requireSecret(variable: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`Set ${variable} first.`);
}

interface Exchange {
  url: string;
  headers: Record<string, string>;
  ask: Ask;
  answerMs: number;
}

/** Sends a request and reads its answer; the time runs once the request is sent. */
async function exchange({ url, headers, ask, answerMs }: Exchange): Promise<unknown> {
  const waiting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const startTimer = () => {
    timer = setTimeout(() => waiting.abort(new LateError(answerMs)), answerMs).unref();
  };
  if (ask.stream === undefined) startTimer();
  try {
    const answer = await fetch(url, { ...toInit(headers, ask, startTimer), signal: waiting.signal });
    return toResult(answer, await answer.text());
  } finally {
    clearTimeout(timer);
  }
}

function toResult(answer: Response, text: string): unknown {
  const body = parseJson(text);
  if (answer.ok && body !== undefined) return body;
  const { error } = (body ?? {}) as Partial<ErrorBody>;
  if (typeof error?.message === 'string') throw new RefusalError(error);
  const type = answer.headers.get('content-type') ?? 'no media type';
  throw new StrangeAnswerError(`status ${answer.status}, ${type}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller tells what came instead
  }
}

function toInit(
  headers: Record<string, string>,
  { method, json, stream }: Ask,
  whenSent: () => void,
): RequestInit {
  if (stream !== undefined) {
    const body = thenTell(stream.body, whenSent);
    return { method: 'POST', body, duplex: 'half', headers: { ...headers, 'content-type': stream.type } };
  }
  if (json === undefined) return { method: method ?? 'GET', headers };
  const more = { 'content-type': 'application/json' };
  return { method: method ?? 'POST', body: JSON.stringify(json), headers: { ...headers, ...more } };
}

async function* thenTell(body: AsyncIterable<Uint8Array>, whenSent: () => void): AsyncGenerator<Uint8Array> {
  yield* body;
  whenSent();
}

/** Says what an exchange failed of, in the user's words. */
async function translated<T>(origin: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const cause = error instanceof TypeError ? error.cause : error;
    if (cause instanceof RefusalError || cause instanceof UnreadableError) throw cause;
    if (cause instanceof LateError || cause instanceof StrangeAnswerError)
      throw new Error(`${origin} ${cause.message}`, { cause });
    throw new Error(`No service answers at ${origin}. Set COLOPHON_URL, or start one.`, { cause: error });
  }
}

class LateError extends Error {
  constructor(answerMs: number) {
    super(`gave no answer within ${answerMs / 1000} seconds.`);
    this.name = 'LateError';
  }
}

class StrangeAnswerError extends Error {
  constructor(what: string) {
    super(`does not answer like this service (${what}). Is COLOPHON_URL right?`);
    this.name = 'StrangeAnswerError';
  }
}
