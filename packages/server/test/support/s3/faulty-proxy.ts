import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** `well`, or a failure of an object store or its network. */
export type Behaviour = 'well' | 'down' | 'slow' | keyof typeof INSTEAD | 'other bytes' | 'cut short';

export interface FaultyProxy {
  endpoint: string;
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

const SLOW_MS = 2_000;
const ERROR = '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>no</Message></Error>';
const INSTEAD = {
  fails: { status: 500, body: ERROR },
  'error with 200': { status: 200, body: ERROR },
  'page with 200': { status: 200, body: '<html>Welcome to this network</html>' },
};

export async function startFaultyProxy(upstream: string): Promise<FaultyProxy> {
  let behaviour: Behaviour = 'well';

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (behaviour === 'down') return void incoming.socket.destroy();
    if (behaviour === 'slow') await sleep(SLOW_MS);
    if (behaviour in INSTEAD) {
      await readAll(incoming);
      const { status, body } = INSTEAD[behaviour as keyof typeof INSTEAD];
      return void outgoing.writeHead(status, { 'content-type': 'application/xml' }).end(body);
    }
    const response = await ask(upstream, incoming);
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    const spoil = incoming.method === 'GET' ? behaviour : 'well';
    if (spoil !== 'other bytes' && spoil !== 'cut short') return void (await pipeline(response, outgoing));
    const body = await readAll(response);
    if (spoil === 'cut short') return void outgoing.write(body.subarray(1), () => outgoing.destroy());
    body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
    outgoing.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(how) {
      behaviour = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function ask(upstream: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  const { method, url, headers } = incoming;
  return new Promise((resolve, reject) => {
    const call = request(new URL(url ?? '', upstream), { method, headers }, resolve);
    call.once('error', reject);
    pipeline(incoming, call).catch(reject);
  });
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
