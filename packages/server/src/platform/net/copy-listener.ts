import { type SendHandle, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as Listener } from 'node:net';

/** Number of connections that one pass of the event loop accepts with the copies. */
const ACCEPTED_IN_A_PASS = 16;

/** The kernel gives each handle that arrives from another process a descriptor of its own. */
const SEND_BACK = `process.on('message', (count, handle) => {
  for (let sent = 0; sent < count; sent++) process.send(sent, handle);
});`;

/** Parts of `node:net` that Node does not document. */
type TcpHandle = SendHandle & { close(): void };
type ListeningServer = Server & { _handle: TcpHandle | null };

/**
 * Lets each pass of the event loop accept up to `count` connections instead of one. libuv accepts one connection of
 * each listening descriptor in a pass, so this function adds descriptors of the same socket. Node can copy a descriptor
 * only through another process, which runs for about 60 ms.
 *
 * Resolves with the number of descriptors. This is 1 on Windows, and if no process can start.
 */
export async function copyListener(server: Server, count = ACCEPTED_IN_A_PASS): Promise<number> {
  const { _handle: own } = server as ListeningServer;
  if (process.platform === 'win32' || own === null) return 1;
  const copies: Listener[] = [];
  closeTogether(server, copies);
  const child = spawn(process.execPath, ['-e', SEND_BACK], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let left = count - 1;
  child.on('message', (_number, handle) => {
    if (server.listening) copies.push(listenOn(handle as TcpHandle, server));
    else (handle as TcpHandle).close();
    left -= 1;
    if (left === 0) child.disconnect();
  });
  child.send(left, own, () => {}); // after a failure, the process ends
  await once(child, 'exit').catch(() => {});
  return copies.length + 1;
}

function listenOn(handle: TcpHandle, server: Server): Listener {
  // These are the options of a server of `node:http`, and `pauseOnConnect` of `acceptConnections`.
  const copy = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
  copy.on('connection', (socket) => server.emit('connection', socket));
  return copy.listen(handle);
}

/** `server.close` then also closes the copies, and calls back when their connections have ended. */
function closeTogether(server: Server, copies: Listener[]): void {
  const close = server.close.bind(server);
  server.close = (done) => {
    const ended = copies.map((copy) => new Promise((resolve) => copy.close(resolve)));
    return close((error) => void Promise.all(ended).then(() => done?.(error)));
  };
}
