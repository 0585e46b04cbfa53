import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createLimiter } from '../../access/limiter.js';
import { networkOf } from '../../platform/net/client-address.js';
import { MAX_NOTE_BYTES } from '../watch/tile-log.js';
import type { WitnessAnswer } from './add-checkpoint.js';

export interface WitnessServerOptions {
  addCheckpoint: (body: string, client: string) => Promise<WitnessAnswer>;
  /** Maximum numbers of requests per minute, valid or not. `byClient` has no effect without `clientOf`. */
  limitsPerMinute: { byClient: number; all: number };
  /** Undefined when the proxies are unknown: the witness then cannot distinguish its clients. */
  clientOf: ((request: IncomingMessage) => string) | undefined;
  reportFailure: (error: unknown) => void;
}

interface WitnessResponse {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const PATH = '/add-checkpoint';
/** A body has a checkpoint and a consistency proof of at most 63 lines. */
const MAX_BODY_BYTES = MAX_NOTE_BYTES;
const REQUEST_MS = 10_000;
/** This number of requests with bodies of the maximum size needs 128 MiB of memory. */
const MAX_CONNECTIONS = 256;
const TEXT = 'text/plain; charset=utf-8';

/** The HTTP server of a witness (C2SP tlog-witness). */
export function createWitnessServer(options: WitnessServerOptions): Server {
  const { limitsPerMinute, clientOf } = options;
  const byClient = createLimiter({ perMinute: limitsPerMinute.byClient, burst: 0 });
  const all = createLimiter({ perMinute: limitsPerMinute.all, burst: 0 });
  const respond = async (request: IncomingMessage): Promise<WitnessResponse> => {
    const client = clientOf === undefined ? '' : networkOf(clientOf(request));
    // A client above its limit must not use up the limit of all clients.
    const ofClient = clientOf && byClient.take(client);
    const verdict = ofClient?.allowed === false ? ofClient : all.take('');
    if (!verdict.allowed) return tooMany(verdict.resetAfter);
    if (request.url?.split('?')[0] !== PATH) return refusal(404, `Send requests to ${PATH}.`);
    if (request.method !== 'POST') return refusal(405, 'Send requests by POST.', { allow: 'POST' });
    const body = await readBody(request);
    if (body === undefined) return refusal(413, `A request has at most ${MAX_BODY_BYTES} bytes.`);
    const text = decode(body);
    if (text === undefined) return refusal(400, 'The body is not UTF-8.');
    return toResponse(await options.addCheckpoint(text, client));
  };
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    respond(request).then(
      (answer) => send(response, answer),
      (error: unknown) => {
        options.reportFailure(error);
        send(response, refusal(500, 'Internal error. The witness did not cosign the checkpoint.'));
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

function toResponse(answer: WitnessAnswer): WitnessResponse {
  if (answer.status === 200) return { status: 200, body: answer.cosignature };
  if (answer.status === 409)
    return {
      status: 409,
      body: `${answer.latestSize}\n`,
      headers: { 'content-type': 'text/x.tlog.size' },
    };
  if (answer.status === 429) return tooMany(answer.retryAfterSeconds);
  return refusal(answer.status, answer.reason);
}

function tooMany(retryAfterSeconds: number): WitnessResponse {
  return refusal(429, 'Too many requests. Send the request again after Retry-After.', {
    'retry-after': String(retryAfterSeconds),
  });
}

function refusal(status: number, reason: string, headers: Record<string, string> = {}): WitnessResponse {
  return { status, body: `${reason}\n`, headers };
}

function send(response: ServerResponse, { status, body, headers = {} }: WitnessResponse): void {
  // After 413, the rest of the body is unread, so no other request can follow.
  const closing = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': TEXT, ...closing, ...headers });
  response.end(body);
}

/** Returns undefined when the body is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns undefined for bytes that are not UTF-8. A byte order mark stays part of the text. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the decoder throws for one reason only: the bytes are not UTF-8
  }
}
