import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createOpenUnits } from '../../access/open-units.js';
import { createIsProxy, networkOf } from '../../platform/net/client-address.js';
import type { App, AppDeps } from '../app.js';
import { acceptConnections } from './accept-connections.js';
import type { ChunkLimit } from './limit-chunks.js';

/**
 * Limits the open connections of a client address, or of an IPv6 /64 network. Does not count trusted proxies, because
 * they carry the requests of many clients.
 */
export function limitConnections(
  app: App,
  { limits, trustProxy }: Pick<AppDeps, 'limits' | 'trustProxy'>,
  onRefused: () => void,
): void {
  const isProxy = createIsProxy(trustProxy);
  // Each port has its own count, so a flood of one port leaves the other one open.
  const connections = createOpenUnits(limits.maxConnections);
  app.server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const open = connections.begin(networkOf(remoteAddress));
    if (open === undefined) {
      onRefused();
      socket.destroy();
    } else socket.once('close', open.end);
  });
}

/** Maximum number of requests without a response on a connection (pipelining, RFC 9112 §9.3.2). */
const MAX_PIPELINED = 16;

const TIMEOUTS = {
  headersTimeout: 20_000,
  keepAliveTimeout: 72_000,
  // `abortSlowBodies` limits the time of an upload.
  requestTimeout: 0,
};

/** The parts of a socket of `node:http` that Node does not document. */
type ParsedSocket = Socket & { parser?: { onIncoming?: unknown } | null };
/** The parser of Node stops after a request when `onIncoming` returns this value, as for an upgrade. */
const STOP = 2;

/**
 * Stops the parser when the socket is destroyed. Otherwise Node would parse all requests in the bytes that have
 * arrived, and create an error with a stack for each of them.
 */
function stopParserOf(socket: ParsedSocket): void {
  const { parser } = socket;
  const onIncoming = parser?.onIncoming;
  if (parser && typeof onIncoming === 'function')
    parser.onIncoming = (request: IncomingMessage & { upgrade?: boolean }, ...others: unknown[]) => {
      if (!socket.destroyed) return Reflect.apply(onIncoming, parser, [request, ...others]);
      // Otherwise Node would emit `upgrade` for the closed socket.
      request.upgrade = false;
      return STOP;
    };
}

interface HttpServerDeps {
  /** Called when the headers of a request have arrived, before the request begins. */
  onArrival: RequestListener;
  /** Called when the number of pipelined requests is too high. */
  onRefused(): void;
  chunks: ChunkLimit;
}

interface Pipeline {
  unanswered: number;
  waiting: (() => void)[];
  /** Whether a request of the connection has begun in this pass of the event loop. */
  hasBegun: boolean;
}

/**
 * Begins one request of a connection in each pass of the event loop, so that pipelined requests do not block other
 * connections. Closes a connection with more than 16 requests without a response. One write of 64 KiB can contain 2,000
 * requests.
 */
export function createHttpServer(
  handle: RequestListener,
  { onArrival, onRefused, chunks }: HttpServerDeps,
): Server {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket) ?? { unanswered: 0, waiting: [], hasBegun: false };
    pipelines.set(socket, pipeline);
    if (pipeline.unanswered >= MAX_PIPELINED) {
      onRefused();
      socket.destroy();
      return;
    }
    pipeline.unanswered++;
    response.once('close', () => pipeline.unanswered--);
    onArrival(request, response);
    if (request.headers['transfer-encoding'] !== undefined) chunks.watch(request);
    const begin = () => {
      // After a response that ends the connection, the client would get no response.
      if (socket.writable) handle(request, response);
    };
    if (pipeline.hasBegun) pipeline.waiting.push(begin);
    else beginNow(pipeline, begin);
  });
  server.on('connection', stopParserOf);
  acceptConnections(server, chunks);
  return server;
}

function beginNow(pipeline: Pipeline, begin: () => void): void {
  pipeline.hasBegun = true;
  setImmediate(() => {
    pipeline.hasBegun = false;
    const next = pipeline.waiting.shift();
    if (next !== undefined) beginNow(pipeline, next);
  });
  begin();
}
