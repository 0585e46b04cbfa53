import type { ErrorBody } from '@colophon/model';
import type { ClientConfig } from '../config.js';
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

/** A client of the service at `url`; its secrets are asked for when they are first needed. */
export function createServiceClient(config: ClientConfig): ServiceClient {
  return {
    ask: (path, ask = {}) => {
      const key = requireSecret('COLOPHON_API_KEY', config.apiKey);
      return send(config.url + path, { authorization: `Bearer ${key}` }, ask);
    },
    manage: (path, ask = {}) => {
      const secret = requireSecret('MANAGEMENT_API_KEY', config.managementKey);
      const headers = { authorization: `Bearer ${secret}`, 'x-user-id': config.userId };
      return send(`${config.url}/management${path}`, headers, ask);
    },
  };
}

function requireSecret(variable: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`Set ${variable} first.`);
}

async function send(url: string, headers: Record<string, string>, ask: Ask): Promise<unknown> {
  const answer = await reach(url, toInit(headers, ask));
  const body = (await answer.json()) as unknown;
  if (answer.ok) return body;
  throw new RefusalError((body as ErrorBody).error);
}

function toInit(headers: Record<string, string>, { method, json, stream }: Ask): RequestInit {
  if (stream !== undefined) {
    const { body, type } = stream;
    return { method: 'POST', body, duplex: 'half', headers: { ...headers, 'content-type': type } };
  }
  if (json === undefined) return { method: method ?? 'GET', headers };
  const more = { 'content-type': 'application/json' };
  return { method: method ?? 'POST', body: JSON.stringify(json), headers: { ...headers, ...more } };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    const { origin } = new URL(url);
    throw new Error(`No service answers at ${origin}. Set COLOPHON_URL, or start one.`, { cause });
  }
}
