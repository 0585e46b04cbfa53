import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ChunkLimit } from './limit-chunks.js';

/** Maximum time for which a new connection waits before the service reads its requests. */
const MAX_WAIT_MS = 50;
/** Number of connections that one pass reads when no new connection arrives. */
const READ_AT_ONCE = 64;

/**
 * Accepts connections that arrive together before it reads their requests. libuv accepts few connections in each
 * pass of the event loop (`copyListener`). If each pass also handled a request, a burst would wait for seconds.
 */
export function acceptConnections(
  server: Server,
  { delayConnection }: Pick<ChunkLimit, 'delayConnection'>,
  maxWaitMs = MAX_WAIT_MS,
): void {
  // An option of `net.createServer` that `http.createServer` does not have.
  Object.assign(server, { pauseOnConnect: true });
  const unread: Socket[] = [];
  /** Undefined if no connection waits and the last pass brought none. */
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
    if (socket.destroyed) return;
    hasArrived = true;
    const delayMs = delayConnection(socket);
    if (delayMs > 0) {
      const timer = setTimeout(() => socket.resume(), delayMs);
      socket.once('close', () => clearTimeout(timer));
      return;
    }
    if (sinceMs !== undefined) {
      unread.push(socket);
      return;
    }
    sinceMs = performance.now();
    setImmediate(endPass);
    socket.resume();
  });
}
