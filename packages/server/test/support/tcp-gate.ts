import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** While a test holds the proxy, it forwards nothing, and connections stay open. */
export interface TcpGate {
  port: number;
  hold(): void;
  /** Forwards the delayed bytes first. */
  open(): void;
  /** Closes all connections. New ones lead to another port. */
  move(port: number): void;
  close(): Promise<void>;
}

/** Each direction takes `delayMs`. */
export async function startTcpGate(port: number, { delayMs = 0 } = {}): Promise<TcpGate> {
  let target = port;
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    const forward = (run: () => void) => (isHeld ? waiting.push(run) : run());
    // Timers of the same duration end in the order of their starts.
    const send = (run: () => void) => (delayMs > 0 ? setTimeout(forward, delayMs, run) : forward(run));
    from.on('data', (chunk: Buffer) => send(() => to.write(chunk)));
    from.on('close', () => send(() => to.destroy()));
    from.on('error', () => {});
  };
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
    },
    open: () => {
      isHeld = false;
      for (const run of waiting.splice(0)) run();
    },
    move: (other) => {
      target = other;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      waiting.length = 0;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
