import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum time for which a new connection waits before the service reads its requests. */
const MAX_WAIT_MS = 50;

/**
 * Accepts the connections that arrive together before it reads their requests. libuv accepts one connection in each
 * pass of the event loop. If each pass also handled a request of a connection accepted before, then 700 connections
 * would fill the queue of the port for seconds, and the new connections of all other clients would wait in it.
 *
 * The service reads a connection at once if the pass before brought no connection. Otherwise it reads the connection
 * after the first pass without a connection, and at most `maxWaitMs` later.
 */
export function acceptConnections(server: Server, maxWaitMs = MAX_WAIT_MS): void {
  // The option of `net.createServer`, which `http.createServer` does not have. The property has the same effect.
  Object.assign(server, { pauseOnConnect: true });
  let unread: Socket[] = [];
  /** The time of the first unread connection; undefined if the pass before this one brought no connection. */
  let sinceMs: number | undefined;
  let hasArrived = false;

  function readAll(): void {
    const sockets = unread;
    unread = [];
    for (const socket of sockets) if (!socket.destroyed) socket.resume();
  }

  function endPass(): void {
    if (hasArrived && sinceMs !== undefined) {
      if (performance.now() - sinceMs >= maxWaitMs) {
        readAll();
        sinceMs = performance.now();
      }
      hasArrived = false;
      setImmediate(endPass);
      return;
    }
    sinceMs = undefined;
    readAll();
  }

  server.on('connection', (socket: Socket) => {
    // The limit of connections has already closed this connection.
    if (socket.destroyed) return;
    hasArrived = true;
    if (sinceMs !== undefined) {
      unread.push(socket);
      return;
    }
    sinceMs = performance.now();
    setImmediate(endPass);
    socket.resume();
  });
}
