import { type ChildProcess, type SendHandle, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as Listener } from 'node:net';

/** Number of connections that one pass of the event loop accepts with the copies. */
const ACCEPTED_IN_A_PASS = 16;
const MAX_COPY_MS = 10_000;

/** The kernel gives each handle that arrives from another process a descriptor of its own. */
const SEND_BACK = `process.on('message', (count, handle) => {
  for (let sent = 0; sent < count; sent++) process.send(sent, handle);
});`;

/** Parts of `node:net` that Node does not document. */
type TcpHandle = SendHandle & { close(): void };
type ListeningServer = Server & { _handle: TcpHandle | null };

/**
 * Lets each pass of the event loop accept up to `count` connections (at least 2) instead of one. libuv accepts one
 * connection of each listening descriptor in a pass, so this function adds descriptors of the same socket. Node can copy
 * a descriptor only through another process, which runs for about 60 ms.
 *
 * Rejects if this process fails. The server then works with fewer descriptors. Does nothing on Windows.
 */
export async function copyListener(server: Server, count = ACCEPTED_IN_A_PASS): Promise<void> {
  const { _handle: own } = server as ListeningServer;
  if (process.platform === 'win32' || own === null) return;
  const child = spawn(process.execPath, ['-e', SEND_BACK], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    timeout: MAX_COPY_MS,
  });
  const ended = once(child, 'exit');
  const copies: Listener[] = [];
  closeTogether(server, copies, child);
  let left = count - 1;
  child.on('message', (_number, handle) => {
    if (server.listening) copies.push(listenOn(handle as TcpHandle, server));
    else (handle as TcpHandle).close();
    left -= 1;
    if (left === 0) child.disconnect();
  });
  if (child.connected) child.send(count - 1, own, () => {}); // after a failure, too few copies arrive
  await ended;
  if (left > 0 && server.listening)
    throw new Error(`Only ${count - 1 - left} of ${count - 1} copies arrived.`);
}

function listenOn(handle: TcpHandle, server: Server): Listener {
  // These are the options of a server of `node:http`, and `pauseOnConnect` of `acceptConnections`.
  const copy = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  copy.on('connection', (socket) => server.emit('connection', socket));
  return copy.listen(handle);
}

/** `server.close` then also closes the copies, and calls back when their connections have ended. */
function closeTogether(server: Server, copies: Listener[], child: ChildProcess): void {
  const close = server.close.bind(server);
  server.close = (done) => {
    // While this process runs, it keeps the socket open.
    child.kill();
    const ended = copies.map((copy) => new Promise((resolve) => copy.close(resolve)));
    return close((error) => void Promise.all(ended).then(() => done?.(error)));
  };
}
