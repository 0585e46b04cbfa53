import type { Socket } from 'node:net';
import { createOpenUnits } from '../../access/open-units.js';
import { createIsProxy } from '../../platform/net/client-address.js';
import type { App, AppDeps } from '../app.js';
import { networkOf } from './limit-requests.js';

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
