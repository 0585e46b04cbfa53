import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { acceptConnections } from '../../src/http/middleware/accept-connections.js';
import { type ChunkLimit, createChunkLimit } from '../../src/http/middleware/limit-chunks.js';
import { createHttpServer } from '../../src/http/middleware/limit-connections.js';
import { copyListener } from '../../src/platform/net/copy-listener.js';

/** This time is longer than a test, so only a pass without a connection ends the wait. */
const LONG_MS = 60_000;
const MANY = 1_000;
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

const opened: (Server | Socket)[] = [];
afterEach(() => {
  for (const one of opened.splice(0))
    'closeAllConnections' in one ? one.close().closeAllConnections() : one.destroy();
});

async function startServer(handle: RequestListener, maxWaitMs = LONG_MS) {
  const server = createServer(handle);
  acceptConnections(server, { delayConnection: () => 0 }, maxWaitMs);
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** `answer` resolves with all bytes up to the end of the connection. */
function open(
  port: number,
  text = GET,
  localAddress = '127.0.0.1',
): { socket: Socket; answer: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  opened.push(socket);
  let received = '';
  socket.setEncoding('utf8').on('data', (part) => {
    received += part;
  });
  socket.on('error', () => {});
  socket.write(text);
  const answer = new Promise<string>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve(received));
  });
  return { socket, answer };
}

const openMany = (port: number, count: number, text?: string) =>
  Array.from({ length: count }, () => open(port, text));

it('connections that arrive together are all accepted before a second one is read', async () => {
  let accepted = 0;
  const acceptedAt: number[] = [];
  const { server, port } = await startServer((_request, response) => {
    acceptedAt.push(accepted);
    response.setHeader('connection', 'close').end();
  });
  server.on('connection', () => {
    accepted += 1;
  });
  await Promise.all(openMany(port, 100).map(({ answer }) => answer));
  expect(acceptedAt).toHaveLength(100);
  expect(acceptedAt.filter((count) => count < 100).length).toBeLessThanOrEqual(1);
});

it('with copies of the listener, one pass accepts several connections', async () => {
  const { server, port } = await startServer((_request, response) => {
    response.setHeader('connection', 'close').end();
  });
  const counts: number[] = [];
  let inPass = 0;
  server.on('connection', () => {
    if (inPass === 0)
      setImmediate(() => {
        counts.push(inPass);
        inPass = 0;
      });
    inPass += 1;
  });
  const mostOf = async () => {
    counts.length = 0;
    const answers = await Promise.all(openMany(port, 64).map(({ answer }) => answer));
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))).toHaveLength(64);
    return Math.max(...counts);
  };
  expect(await mostOf()).toBe(1);
  await copyListener(server, 8);
  expect(await mostOf()).toBe(8);
});

it('the server works without copies if no process can start, and after a close during the copy', async () => {
  const { server, port } = await startServer((_request, response) => response.end());
  const { execPath } = process;
  process.execPath = '/nonexistent/node';
  try {
    await expect(copyListener(server, 4)).rejects.toThrow('ENOENT');
  } finally {
    process.execPath = execPath;
  }
  const { socket, answer } = open(port, GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  expect(await answer).toContain('HTTP/1.1 200');
  socket.destroy();
  const copying = copyListener(server, 4);
  const closed = once(server, 'close');
  server.close();
  await Promise.all([copying, closed]);
  const late = open(port).socket;
  expect((await once(late, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
});

it('the server closes its copies, and waits for their connections', async () => {
  const held: ServerResponse[] = [];
  const { server, port } = await startServer((_request, response) => held.push(response));
  await copyListener(server, 4);
  openMany(port, 16);
  await vi.waitFor(() => expect(held).toHaveLength(16));
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const late = open(port).socket;
  expect((await once(late, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' });
  // `_server` is the listener that accepted the connection. A connection of a copy ends last.
  const isOfCopy = ({ socket }: ServerResponse) => Reflect.get(socket ?? {}, '_server') !== server;
  expect(new Set(held.map(isOfCopy))).toEqual(new Set([true, false]));
  held.sort((one, other) => Number(isOfCopy(one)) - Number(isOfCopy(other)));
  for (const response of held) {
    expect(isClosed).toBe(false);
    response.destroy();
    await once(response, 'close');
  }
  await vi.waitFor(() => expect(isClosed).toBe(true));
});

it('a connection that arrives alone is read at once', async () => {
  const { server, port } = await startServer((_request, response) => response.end());
  const [{ isPaused }] = await Promise.all([
    once(server, 'connection').then(([socket]: Socket[]) => ({ isPaused: socket?.isPaused() })),
    open(port),
  ]);
  expect(isPaused).toBe(false);
});

it('a stream of connections without a gap delays the requests only up to the limit', async () => {
  let accepted = 0;
  const { server, port } = await startServer((_request, response) => response.end(), 5);
  const handled = new Promise<void>((resolve) => {
    server.on('request', ({ socket }) => {
      if (socket !== first) resolve();
    });
  });
  let first: Socket | undefined;
  let isOver = false;
  server.on('connection', (socket: Socket) => {
    first ??= socket;
    accepted += 1;
    if (accepted > 1 && !isOver && accepted < MANY) open(port, accepted < 20 ? GET : '');
  });
  openMany(port, 5);
  await handled;
  isOver = true;
  expect(accepted).toBeLessThan(MANY);
});

it('a connection that the limit of connections closes is not read, and the next ones are', async () => {
  let handled = 0;
  const resumed: Socket[] = [];
  const { server, port } = await startServer((_request, response) => {
    handled += 1;
    response.setHeader('connection', 'close').end();
  });
  let count = 0;
  server.prependListener('connection', (socket: Socket) => {
    count += 1;
    if (count % 2 === 1) return;
    socket.once('resume', () => resumed.push(socket));
    socket.destroy();
  });
  const answers = await Promise.all(openMany(port, 20).map(({ answer }) => answer));
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 200'))).toHaveLength(10);
  expect(handled).toBe(10);
  expect(resumed).toEqual([]);
});

it('a connection that closes before the service reads it is not read, and the others are', async () => {
  let handled = 0;
  const { server, port } = await startServer((_request, response) => {
    handled += 1;
    response.setHeader('connection', 'close').end();
  });
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    if (count === 5) socket.destroy();
  });
  await Promise.all(openMany(port, 20).map(({ answer }) => answer));
  expect(handled).toBe(19);
});

it('closeAllConnections closes connections that the service has not read yet', async () => {
  let handled = 0;
  const { server, port } = await startServer((_request, response) => {
    handled += 1;
    response.end();
  });
  let count = 0;
  server.on('connection', () => {
    count += 1;
    if (count === 20) server.closeAllConnections();
  });
  await Promise.all(openMany(port, 20).map(({ answer }) => answer));
  expect(handled).toBeLessThanOrEqual(1);
  const next = open(port, GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  expect(await next.answer).toContain('HTTP/1.1 200');
});

it('a connection that waited serves pipelined requests, also after the client has ended its side', async () => {
  const { port } = await startServer((request, response) => response.end(`<${request.url}>`));
  const text = ['/a', '/b', '/c'].map((path) => GET.replace('/ ', `${path} `)).join('');
  const connections = openMany(port, 20, text);
  for (const { socket } of connections) socket.end();
  for (const { answer } of connections) {
    expect([...(await answer).matchAll(/<.*?>/g)].join('')).toBe('</a></b></c>');
  }
});

it('a connection that waited can upgrade', async () => {
  const { server, port } = await startServer((_request, response) => response.end());
  server.on('upgrade', (_request, socket, head) => socket.end(`switched with ${head}`));
  const text = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\nrest';
  const answers = await Promise.all(openMany(port, 20, text).map(({ answer }) => answer));
  expect(new Set(answers)).toEqual(new Set(['switched with rest']));
});

it('begins one request of a connection in each pass of the event loop', async () => {
  let pass = 0;
  const nextPass = () => {
    pass += 1;
    if (begunIn.length < 3) setImmediate(nextPass);
  };
  const begunIn: number[] = [];
  const { port } = await startHttpServer(() => begunIn.push(pass));
  opened.at(-1)?.on('connection', () => setImmediate(nextPass));
  open(port, GET.repeat(3));
  await vi.waitFor(() => expect(begunIn).toHaveLength(3));
  expect(new Set(begunIn).size).toBe(3);
});

it('answers all pipelined requests in their order, and begins none after one that ends the connection', async () => {
  const begun: (string | undefined)[] = [];
  const { port } = await startHttpServer(({ url }, response) => {
    begun.push(url);
    if (url === '/c') response.setHeader('connection', 'close');
    response.end(`<${url}>`);
  });
  const text = ['/a', '/b', '/c', '/d'].map((path) => GET.replace('/ ', `${path} `)).join('');
  expect([...(await open(port, text).answer).matchAll(/<.*?>/g)].join('')).toBe('</a></b></c>');
  expect(begun).toEqual(['/a', '/b', '/c']);
});

it('after too many small chunks, reads no new connection of the network for a time, but other networks', async () => {
  let exceeded = 0;
  const chunks = createChunkLimit({ trustProxy: false }, () => exceeded++, LONG_MS);
  const { port } = await startHttpServer((request, response) => {
    request.resume();
    request.once('end', () => response.setHeader('connection', 'close').end('read'));
  }, chunks);
  const head = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';
  const toBody = (chunks: number) => `${'1\r\n \r\n'.repeat(chunks)}0\r\n\r\n`;
  expect(await open(port, head + toBody(4_000), '127.0.0.2').answer).toContain('read');
  expect(exceeded).toBe(0);
  expect(await open(port, head + toBody(5_000), '127.0.0.2').answer).toBe('');
  expect(exceeded).toBe(1);
  const held = open(port, GET, '127.0.0.2');
  expect(await open(port, GET, '127.0.0.3').answer).toContain('read');
  expect(await Promise.race([held.answer, open(port, GET).answer])).toContain('read');
  expect(held.socket.bytesRead).toBe(0);
});

async function startHttpServer(
  handle: RequestListener,
  chunks: ChunkLimit = createChunkLimit({ trustProxy: false }, () => {}),
) {
  const server = createHttpServer(handle, { onArrival: () => {}, onRefused: () => {}, chunks });
  opened.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port };
}
