import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createOpenUnits } from '../../access/open-units.js';
import { createIsProxy, networkOf } from '../../platform/net/client-address.js';
import type { App, AppDeps } from '../app.js';
import { acceptConnections } from './accept-connections.js';

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

/**
 * Closes a connection with more than 16 requests without a response. One write of 64 KiB can contain 2,000 requests.
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
