import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum time for which a new connection waits before the service reads its requests. */
const MAX_WAIT_MS = 50;
/** Number of connections that one pass reads when no new connection arrives. */
const READ_AT_ONCE = 64;

/**
 * Accepts the connections that arrive together before it reads their requests. libuv accepts one connection in each
 * pass of the event loop. Without this rule, each pass would also handle a request. A burst of 700 connections would
 * then fill the queue of the port for seconds, and new connections of other clients would wait.
 *
 * The service reads a connection at once if no connection arrived in the previous pass. Otherwise it reads the connection
 * after the first pass without a connection, 64 connections in each pass. While further connections arrive, it reads
 * all waiting connections every `maxWaitMs`.
 */
export function acceptConnections(server: Server, maxWaitMs = MAX_WAIT_MS): void {
  // The option of `net.createServer`, which `http.createServer` does not have. The property has the same effect.
  Object.assign(server, { pauseOnConnect: true });
  const unread: Socket[] = [];
  /** The time since which connections wait; undefined if none waits and the last pass brought none. */
  let sinceMs: number | undefined;
  let hasArrived = false;

  function read(most: number): void {
    for (const socket of unread.splice(0, most)) if (!socket.destroyed) socket.resume();
  }

  function endPass(): void {
    const now = performance.now();
    const mustWait = hasArrived && now - (sinceMs ?? now) < maxWaitMs;
    if (!mustWait) {
      read(hasArrived ? unread.length : READ_AT_ONCE);
      sinceMs = hasArrived || unread.length > 0 ? now : undefined;
    }
    hasArrived = false;
    if (sinceMs !== undefined) setImmediate(endPass);
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
