import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { App } from '../../src/http/app.js';
import { admitRequests } from '../../src/http/middleware/admit-requests.js';

const BUSY_MS = 4;

/** Starts a service whose requests block the main thread. `began` lists the requests in their order. */
async function startBusyService() {
  const began: string[] = [];
  const app = Fastify();
  admitRequests(app as unknown as App);
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

/** Opens connections and uses each once, because the server accepts new connections one by one. */
async function openSockets(port: number, count: number, localAddress?: string): Promise<Socket[]> {
  const open = () => connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  const sockets = Array.from({ length: count }, open);
  for (const socket of sockets) {
    socket.write('GET /warm HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(socket, 'data');
  }
  return sockets;
}

it('a service begins /healthz before most of the requests that arrived earlier, and answers all of them', async () => {
  const { app, began, port } = await startBusyService();
  try {
    const sockets = await openSockets(port, 61);
    const answers = sockets.map((socket) => once(socket, 'data'));
    const others = sockets.slice(0, -1);
    for (const socket of others) socket.write('GET /busy HTTP/1.1\r\nhost: a\r\n\r\n');
    sockets.at(-1)?.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await Promise.all(answers);
    expect(began).toHaveLength(61);
    // About three requests begin in each turn of the event loop. A busy machine may split the arrivals.
    expect(began.indexOf('/healthz')).toBeLessThan(30);
    for (const socket of sockets) socket.destroy();
  } finally {
    await app.close();
  }
});

it('a service begins the request of one key before most requests of another key that arrived earlier', async () => {
  const { app, began, port } = await startBusyService();
  try {
    const sockets = await openSockets(port, 61);
    const answers = sockets.map((socket) => once(socket, 'data'));
    const send = (socket: Socket | undefined, key: string) =>
      socket?.write(`GET /busy HTTP/1.1\r\nhost: a\r\nauthorization: ${key}\r\n\r\n`);
    for (const socket of sockets.slice(0, -1)) send(socket, 'many');
    send(sockets.at(-1), 'one');
    await Promise.all(answers);
    expect(began).toHaveLength(61);
    expect(began.indexOf('one')).toBeLessThan(30);
    for (const socket of sockets) socket.destroy();
  } finally {
    await app.close();
  }
});

it('a service begins the request of one network before most requests with random keys of another network', async () => {
  const { app, began, port } = await startBusyService();
  try {
    const sockets = [...(await openSockets(port, 60)), ...(await openSockets(port, 1, '127.0.0.2'))];
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const [place, socket] of sockets.entries())
      socket.write(`GET /busy HTTP/1.1\r\nhost: a\r\nauthorization: key ${place}\r\n\r\n`);
    await Promise.all(answers);
    expect(began).toHaveLength(61);
    expect(began.indexOf('key 60')).toBeLessThan(30);
    for (const socket of sockets) socket.destroy();
  } finally {
    await app.close();
  }
});

it('a service checks the large body of one key before most bodies of another key that arrived earlier', async () => {
  const { app, began, port } = await startBusyService();
  try {
    const sockets = await openSockets(port, 61);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets.slice(0, -1)) socket.write(toLarge('many'));
    sockets.at(-1)?.write(toLarge('one'));
    await Promise.all(answers);
    expect(began).toHaveLength(61);
    expect(began.indexOf('one')).toBeLessThan(30);
    for (const socket of sockets) socket.destroy();
  } finally {
    await app.close();
  }
});

it('a service checks the large body of one project before most bodies of twenty keys of another project', async () => {
  const { app, began, port } = await startBusyService();
  try {
    const sockets = await openSockets(port, 61);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const [place, socket] of sockets.slice(0, -1).entries())
      socket.write(toLarge(`key ${place % 20}`, 'many'));
    sockets.at(-1)?.write(toLarge('one', 'one'));
    await Promise.all(answers);
    expect(began).toHaveLength(61);
    expect(began.indexOf('one')).toBeLessThan(15);
    for (const socket of sockets) socket.destroy();
  } finally {
    await app.close();
  }
});

function toLarge(key: string, project?: string): string {
  const body = JSON.stringify('x'.repeat(150_000));
  return (
    `POST /large HTTP/1.1\r\nhost: a\r\nauthorization: ${key}\r\ncontent-type: application/json\r\n` +
    (project === undefined ? '' : `x-project: ${project}\r\n`) +
    `content-length: ${body.length}\r\n\r\n${body}`
  );
}
