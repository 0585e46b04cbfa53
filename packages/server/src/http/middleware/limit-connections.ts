import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createOpenUnits } from '../../access/open-units.js';
import { createIsProxy, networkOf } from '../../platform/net/client-address.js';
import type { App, AppDeps } from '../app.js';
import { acceptConnections } from './accept-connections.js';

/**
 * Limits the open connections of a client address, or of an IPv6 /64 network. Closes a further connection at once,
 * before it takes memory for a request, and calls `onRefused`. Connections of trusted proxies are not counted: they
 * carry the requests of many clients, and the proxy limits the connections of each client.
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
    // A connection that is already closed has no address.
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
  // An upload may take long. `abortSlowBodies` limits its time.
  requestTimeout: 0,
};

/**
 * Creates a server. When a connection has more than 16 requests without a response, calls `onRefused` and closes it.
 * One write of 64 KiB can contain 2,000 requests, and Node parses all of them at once.
 */
export function createHttpServer(handle: RequestListener, onRefused: () => void): Server {
  const pending = new WeakMap<Socket, number>();
  const server = createServer({ ...TIMEOUTS, requireHostHeader: false }, (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = pending.get(socket) ?? 0;
    if (count >= MAX_PIPELINED) {
      onRefused();
      socket.destroy();
      return;
    }
    pending.set(socket, count + 1);
    response.once('close', () => pending.set(socket, (pending.get(socket) ?? 1) - 1));
    handle(request, response);
  });
  acceptConnections(server);
  return server;
}
