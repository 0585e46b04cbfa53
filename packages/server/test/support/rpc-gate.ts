import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A test can block calls to the node or replace their answers. */
export interface RpcGate {
  url: string;
  /**
   * The next call of this method gets no answer. `before`: the node does not receive the call; resolves when the call
   * arrives. `after`: resolves when the node has answered.
   */
  swallow(method: string, when: 'before' | 'after'): Promise<void>;
  /** Answers with a fixed result; undefined restores the node's answers. */
  answer(method: string, result: unknown): void;
  /** Answers with these bytes; undefined restores the node's answers. With `endless` the answer never ends. */
  say(method: string, bytes: string | Buffer | undefined, howLong?: 'endless'): void;
  /** Closes the connection of every call, or forwards calls again. */
  setDown(isDown: boolean): void;
  close(): Promise<void>;
}

export async function openRpcGate(url: string): Promise<RpcGate> {
  const swallowed = new Map<string, { when: 'before' | 'after'; tell: () => void }>();
  const fixed = new Map<string, unknown>();
  const said = new Map<string, (response: ServerResponse) => void>();
  let isDown = false;
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (isDown) return void request.socket.destroy();
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    if (fixed.has(method))
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: fixed.get(method) }));
    const sayIt = said.get(method);
    if (sayIt !== undefined) return sayIt(response);
    const stop = swallowed.get(method);
    swallowed.delete(method);
    if (stop?.when === 'before') return stop.tell();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    if (stop !== undefined) return stop.tell();
    response.setHeader('content-type', 'application/json');
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow: (method, when) => new Promise((tell) => swallowed.set(method, { when, tell })),
    answer: (method, result) =>
      void (result === undefined ? fixed.delete(method) : fixed.set(method, result)),
    say: (method, bytes, howLong) => {
      said.delete(method);
      if (bytes === undefined) return;
      said.set(method, (response) => {
        response.write(bytes);
        if (howLong === undefined) return void response.end();
        const drip = setInterval(() => response.write(' '), 100);
        response.once('close', () => clearInterval(drip));
      });
    },
    setDown: (down) => {
      isDown = down;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
