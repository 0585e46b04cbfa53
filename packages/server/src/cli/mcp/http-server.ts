import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError, createClient, NoAnswerError } from '@colophon/sdk';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ServiceError } from '../../errors.js';
import { createFairLimit, type FairLimit } from '../../platform/work/limit-concurrency.js';
import { createToolServer } from './tool-server.js';

export interface HttpOptions {
  url: string;
  version: string;
  /** Host names without port, in addition to the names of the local host. */
  allowedHosts: readonly string[];
}

interface McpRefusal {
  status: number;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

interface McpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

const PATH = '/mcp';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** Content in base64 can then have at most 24 MiB. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;
const LARGE_REQUEST_BYTES = 1024 * 1024;
/** Limits concurrent requests above `LARGE_REQUEST_BYTES`. Each takes up to three times its size in memory. */
const LARGE_REQUESTS = {
  atOnce: 4,
  atOnceOfOne: 3,
  waiting: 0,
  message: 'At most 4 messages of more than 1 MiB can be in progress, and 3 of one project.',
};
const REQUEST_TIMEOUT_MS = 60_000;
/** Maximum time of the look-up of a key. */
const KEY_CHECK_TIMEOUT_MS = 10_000;
const ASK_FOR_KEY = { 'www-authenticate': 'Bearer' };

/** MCP over HTTP ("Streamable HTTP") without sessions. Every request needs an API key. */
export function createHttpServer(options: HttpOptions): Server {
  const limitLarge = createFairLimit(LARGE_REQUESTS);
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    serveRequest(options, { request, response }, limitLarge).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, toRefusal(error));
    });
  });
}

/** Checks the key of a large request first, so that only callers with a valid key take a slot. */
async function serveRequest(
  options: HttpOptions,
  exchange: McpExchange,
  limitLarge: FairLimit,
): Promise<void> {
  const { request, response } = exchange;
  const refusal = findRefusal(options, request);
  if (refusal !== undefined) return refuse(response, refusal);
  if (readLength(request) <= LARGE_REQUEST_BYTES) return handleMessage(options, exchange);
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const caller = await nameCaller(options, request);
  await limitLarge(caller, async () => {
    // If the caller disconnects, the slot is free at once, even if `handleMessage` still runs.
    await Promise.race([handleMessage(options, exchange), closed]);
    await closed;
  });
}

/**
 * Returns the name of the project's log, so that all API keys of a project count as one caller. If the service has no
 * key for its logs, each API key counts as a caller. Throws if the API key is not valid.
 */
async function nameCaller({ url }: HttpOptions, request: IncomingMessage): Promise<string> {
  const apiKey = readKey(request) ?? '';
  const { log } = createClient({ url, apiKey });
  const once = { timeoutMs: KEY_CHECK_TIMEOUT_MS, maxRetries: 0 };
  try {
    return (await log.get(once)).origin;
  } catch (error) {
    if (!lacksLogKey(error)) throw error;
    // Only checks the API key. The service needs no key for its logs here, because this proof needs no signature.
    await log.consistency({ from: 0, to: 0 }, once);
    return createHash('sha256').update(apiKey).digest('hex');
  }
}

/** A busy service also responds with 503, but without this detail. */
function lacksLogKey(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { missing } = (error.details ?? {}) as { missing?: unknown };
  return missing === 'logKey';
}

/** Infinity for a chunked body. */
function readLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

async function handleMessage(options: HttpOptions, { request, response }: McpExchange): Promise<void> {
  const client = createClient({ url: options.url, apiKey: readKey(request) });
  const server = createToolServer({ client, url: options.url, root: undefined }, options.version);
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MAX_REQUEST_BYTES,
  });
  response.once('close', () => void server.close());
  // The cast is necessary, because accessors of the class have `| undefined` where the interface has `?`.
  await server.connect(transport as Transport);
  await transport.handleRequest(request, response);
}

function findRefusal({ allowedHosts }: HttpOptions, request: IncomingMessage): McpRefusal | undefined {
  const { host = '', origin } = request.headers;
  // Prevents DNS rebinding: another site could call this server by a host name that resolves to its address.
  if (![...LOCAL_HOSTS, ...allowedHosts].includes(host.replace(/:\d+$/, '').toLowerCase()))
    return { status: 403, message: `The host ${host} is not allowed. Start with --allow-host to allow it.` };
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, message: `Pages of ${origin} may not call this server.` };
  if (request.url?.split('?')[0] !== PATH)
    return { status: 404, message: `This path does not exist. Use the path ${PATH}.` };
  if (request.method !== 'POST')
    return { status: 405, message: 'Send messages by POST.', headers: { allow: 'POST' } };
  if (readKey(request) === undefined)
    return {
      status: 401,
      message: 'Send the API key of a project as `Authorization: Bearer <key>`.',
      headers: ASK_FOR_KEY,
    };
  // Node reads and discards the body of a rejected request, so the caller receives the response.
  if (Number(request.headers['content-length']) > MAX_REQUEST_BYTES)
    return { status: 413, message: `A message has at most ${MAX_REQUEST_BYTES} bytes.` };
  return undefined;
}

function readKey({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

function toRefusal(error: unknown): McpRefusal {
  const { message } = error as Error;
  if (error instanceof NoAnswerError) return { status: 502, message };
  if (error instanceof ServiceError)
    return { status: error.status, message: `${message} ${error.recovery}`, headers: error.headers };
  if (!(error instanceof ApiError)) return { status: 500, message: `Internal error: ${message}` };
  const { status, recovery = '', retryAfterMs } = error;
  const retry = retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return { status, message: `${message} ${recovery}`, headers: status === 401 ? ASK_FOR_KEY : retry };
}

function refuse(response: ServerResponse, { status, message, headers = {} }: McpRefusal): void {
  // JSON-RPC 2.0 §5.1: -32000 to -32099 are for the server's own errors.
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
