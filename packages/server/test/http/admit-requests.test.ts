import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { App } from '../../src/http/app.js';
import { admitRequests } from '../../src/http/middleware/admit-requests.js';

const BUSY_MS = 4;

/** `began` lists the requests in the order in which they begin. */
async function startBusyService(hasOtherOwners: boolean) {
  const began: string[] = [];
  const app = Fastify();
  admitRequests(app as unknown as App, {
    hasOtherOwners: (_, withinMs = 0) => hasOtherOwners && withinMs > 0,
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { 'x-project': projectId } = request.headers;
    if (typeof projectId === 'string') Object.assign(request, { principal: { projectId } });
    done();
  });
  app.get('/healthz', async () => void began.push('/healthz'));
  app.get('/warm', async () => 'ready');
  app.get('/busy', async (request) => {
    began.push(request.headers.authorization ?? '/busy');
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end);
  });
  const block = async (request: { headers: { authorization?: string | undefined } }) => {
    began.push(request.headers.authorization ?? '/large');
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end);
  };
  app.post('/large', { preValidation: block }, async () => 'checked');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, began, port: Number(new URL(address).port) };
}

/** Waits for a first response, because the server accepts new connections one by one. */
async function openSocket(port: number, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  socket.write('GET /warm HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** Each request has its own connection. */
async function orderOf(
  requests: readonly { text: string; from?: string }[],
  { hasOtherOwners = false } = {},
): Promise<readonly string[]> {
  const { app, began, port } = await startBusyService(hasOtherOwners);
  try {
    const sockets: Socket[] = [];
    for (const { from } of requests) sockets.push(await openSocket(port, from));
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const [place, socket] of sockets.entries()) socket.write(requests[place]?.text ?? '');
    await Promise.all(answers);
    for (const socket of sockets) socket.destroy();
    return began;
  } finally {
    await app.close();
  }
}

const MANY = Array.from({ length: 60 }, (_, place) => place);

it('a service begins /healthz before most earlier requests, and answers all of them', async () => {
  const began = await orderOf([...MANY.map(() => ({ text: toGet('/busy') })), { text: toGet('/healthz') }]);
  expect(began).toHaveLength(61);
  // About three requests begin in each pass of the event loop. On a busy machine, the requests can arrive over several
  // passes.
  expect(began.indexOf('/healthz')).toBeLessThan(30);
});

it('a request of one key begins before most earlier requests of another key', async () => {
  const others = MANY.map(() => ({ text: toGet('/busy', 'many') }));
  const began = await orderOf([...others, { text: toGet('/busy', 'one') }]);
  expect(began).toHaveLength(61);
  expect(began.indexOf('one')).toBeLessThan(30);
});

it('a request of one network begins before most earlier requests of a network with random keys', async () => {
  const others = MANY.map((place) => ({ text: toGet('/busy', `key ${place}`) }));
  const began = await orderOf([...others, { text: toGet('/busy', 'key 60'), from: '127.0.0.2' }]);
  expect(began).toHaveLength(61);
  expect(began.indexOf('key 60')).toBeLessThan(30);
});

it('a large body of one key is checked before most earlier bodies of another key', async () => {
  const others = MANY.map(() => ({ text: toLarge('many') }));
  const began = await orderOf([...others, { text: toLarge('one') }]);
  expect(began).toHaveLength(61);
  expect(began.indexOf('one')).toBeLessThan(30);
});

it('a large body of a project is checked before most earlier bodies of twenty keys of another', async () => {
  const others = MANY.map((place) => ({ text: toLarge(`key ${place % 20}`, 'many') }));
  const began = await orderOf([...others, { text: toLarge('one', 'one') }]);
  expect(began).toHaveLength(61);
  expect(began.indexOf('one')).toBeLessThan(15);
});

it('after the check of a large body, the next check of its project waits if other projects have requests', async () => {
  const large = MANY.slice(0, 20).map(() => ({ text: toLarge('large', 'many') }));
  const small = MANY.slice(0, 30).map(() => ({ text: toGet('/busy', 'small') }));
  const began = await orderOf([...large, ...small], { hasOtherOwners: true });
  expect(began).toHaveLength(50);
  // Without this wait, the callers take turns, so all 20 bodies begin before the last small request.
  const earlier = began.slice(0, began.lastIndexOf('small')).filter((one) => one === 'large');
  expect(earlier.length).toBeLessThan(16);
});

function toGet(path: string, key?: string): string {
  const authorization = key === undefined ? '' : `authorization: ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nhost: a\r\n${authorization}\r\n`;
}

function toLarge(key: string, project?: string): string {
  const body = JSON.stringify('x'.repeat(150_000));
  return (
    `POST /large HTTP/1.1\r\nhost: a\r\nauthorization: ${key}\r\ncontent-type: application/json\r\n` +
    (project === undefined ? '' : `x-project: ${project}\r\n`) +
    `content-length: ${body.length}\r\n\r\n${body}`
  );
}
