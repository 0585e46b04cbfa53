import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createClient } from '@colophon/sdk';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
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
  headers?: Record<string, string>;
}

const PATH = '/mcp';
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/**
 * Maximum size of a request. Content in base64 can then have at most 24 MiB, because base64 encodes three bytes as
 * four.
 */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;
/**
 * Maximum number of requests in progress that are larger than `LARGE_REQUEST_BYTES`. Such a request takes up to three
 * times its size in memory. This server does not verify API keys, so anybody can send such requests.
 */
const MAX_LARGE_REQUESTS = 4;
const LARGE_REQUEST_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;

/** Creates a server for MCP over HTTP ("Streamable HTTP") without sessions. Every request needs an API key. */
export function createHttpServer(options: HttpOptions): Server {
  let largeRequests = 0;
  return createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (readLength(request) > LARGE_REQUEST_BYTES) {
      if (largeRequests >= MAX_LARGE_REQUESTS) return refuse(response, TOO_MANY);
      largeRequests += 1;
      response.once('close', () => {
        largeRequests -= 1;
      });
    }
    serveRequest(options, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, message: `Internal error: ${(error as Error).message}` });
    });
  });
}

const TOO_MANY: McpRefusal = {
  status: 503,
  message: 'Too many large messages are in progress. Send the message again in a moment.',
  headers: { 'retry-after': '2' },
};

/** Returns the announced size of the body, or infinity for a chunked body. */
function readLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

async function serveRequest(
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = findRefusal(options, request);
  if (refusal !== undefined) return refuse(response, refusal);
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
  // Prevents DNS rebinding: a page of another site could call this server by a host name that resolves to its address.
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
      headers: { 'www-authenticate': 'Bearer' },
    };
  // Node reads and discards the body of a rejected request, so the caller receives the response.
  if (Number(request.headers['content-length']) > MAX_REQUEST_BYTES)
    return { status: 413, message: `A message has at most ${MAX_REQUEST_BYTES} bytes.` };
  return undefined;
}

function readKey({ headers: { authorization = '' } }: IncomingMessage): string | undefined {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

function refuse(response: ServerResponse, { status, message, headers = {} }: McpRefusal): void {
  // JSON-RPC 2.0 §5.1: -32000 to -32099 are for the server's own errors.
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
