import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { ANY_ENGINE, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const LARGE = JSON.stringify({ ...JSON.parse(LIST), params: { _meta: { padding: 'a'.repeat(2 ** 21) } } });

/** By default, no service runs at COLOPHON_URL. */
async function startHttp({ COLOPHON_URL = 'http://127.0.0.1:9' }, ...options: string[]) {
  const child = spawn(process.execPath, [CLI, 'mcp', '--http', '--port', '0', ...options], {
    env: { PATH: process.env.PATH, COLOPHON_URL },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const [, port] = /^MCP at http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(String(line)) ?? [];
  const stdout = text(child.stdout);
  return {
    port: Number(port),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return { code, stdout: await stdout };
    },
  };
}

let server: Awaited<ReturnType<typeof startHttp>>;
beforeAll(async () => {
  server = await startHttp({}, '--allow-host', 'mcp.example');
});
afterAll(async () => {
  expect(await server.stop()).toEqual({ code: 0, stdout: '' });
});

/** `fetch` cannot set the Host header. */
async function send({ port = server.port, method = 'POST', path = '/mcp', headers = {}, body = LIST }) {
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${KEY}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  });
  sent.on('error', () => {}); // the server can reject a body before it has all bytes
  sent.end(method === 'POST' ? body : undefined);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) };
}

describe('the tools over HTTP', () => {
  it.each([
    ['a client of the address 127.0.0.1', {}],
    ['a client of the name localhost', { host: 'localhost:1234' }],
    ['a client of the address ::1', { host: '[::1]:1234' }],
    ['a client of an allowed name', { host: 'mcp.example' }],
    ['a page of the same origin', { host: 'localhost:1234', origin: 'http://localhost:1234' }],
  ])('are served to %s', async (_who, headers) => {
    const { status, body } = await send({ headers });
    expect(status).toBe(200);
    expect(body.result.tools).toHaveLength(8);
  });

  it.each([
    ['a client of a foreign name that resolves to this machine', { host: 'evil.example' }, 403],
    ['a client of a name that begins with localhost', { host: 'localhost.evil.example' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page from another port', { host: 'localhost:1234', origin: 'http://localhost:5173' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a caller without a key', { authorization: '' }, 401],
    ['a caller with a password', { authorization: 'Basic YTpi' }, 401],
  ])('are denied to %s', async (_who, headers, status) => {
    const answer = await send({ headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('are at one path that only accepts POST', async () => {
    expect((await send({ path: '/' })).status).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await send({ method });
      expect([status, headers.allow]).toEqual([405, 'POST']);
    }
  });

  it('reject an empty body, a body that is not JSON and a message that is too large, and continue', async () => {
    expect((await send({ body: '{' })).status).toBe(400);
    const large = 33 * 1024 * 1024;
    expect((await send({ body: '', headers: { 'content-length': '0' } })).status).toBe(400);
    expect((await send({ body: `"${'a'.repeat(large)}"` })).status).toBe(413);
    expect((await send({})).status).toBe(200);
  });

  it('report that the service does not answer', async () => {
    const call = { name: 'verify', arguments: { text: 'x' } };
    const { body } = await send({
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    expect(body.result).toMatchObject({ isError: true });
    expect(body.result.content[0].text).toMatch(/^No response from .*COLOPHON_URL/);
    expect((await send({ body: LARGE })).status).toBe(502);
  });
});

describe('large messages over HTTP', () => {
  let service: Service;
  let ofService: Awaited<ReturnType<typeof startHttp>>;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    ofService = await startHttp({ COLOPHON_URL: service.base });
  });
  afterAll(async () => {
    await ofService.stop();
    await service.stop();
  });

  /** The body never ends. */
  function begin(key: string) {
    const { port } = ofService;
    const headers = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'content-length': String(2 ** 21),
    };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers });
    sent.on('error', () => {}); // the test ends the connection
    sent.write('{');
    const status = once(sent, 'response').then(
      ([answer]) => answer.statusCode,
      () => undefined,
    );
    return { status, end: () => sent.destroy() };
  }

  const sendLarge = async (key: string) =>
    (await send({ port: ofService.port, body: LARGE, headers: { authorization: `Bearer ${key}` } })).status;

  it('without a valid key get 401 before their body arrives, and take no place', async () => {
    const unknown = Array.from({ length: 5 }, () => begin('unknown'));
    expect(await Promise.all(unknown.map(({ status }) => status))).toEqual([401, 401, 401, 401, 401]);
    expect(await sendLarge(KEY)).toBe(200);
    for (const { end } of unknown) end();
  });

  it('of one project take three of four places, and small messages need no place', async () => {
    const held = [KEY, KEY, KEY, KEY].map(begin);
    expect(await Promise.race(held.map(({ status }) => status))).toBe(503);
    expect(await sendLarge(OTHER_KEY)).toBe(200);
    const others = [OTHER_KEY, OTHER_KEY].map(begin);
    expect(await Promise.race(others.map(({ status }) => status))).toBe(503);
    expect((await send({ port: ofService.port })).status).toBe(200);
    for (const { end } of [...held, ...others]) end();
    await expect.poll(() => sendLarge(KEY)).toBe(200);
  });
});

it('large messages need a valid key, also for a service that cannot sign its log', async () => {
  const production = { NODE_ENV: 'production' };
  const service = await startService('PostgreSQL', { environment: production });
  const { port, stop } = await startHttp({ COLOPHON_URL: service.base });
  const sendLarge = async (key: string) =>
    (await send({ port, body: LARGE, headers: { authorization: `Bearer ${key}` } })).status;
  const statuses = [(await service.send('/v1/log')).status, await sendLarge('unknown'), await sendLarge(KEY)];
  await stop();
  await service.stop();
  expect(statuses).toEqual([503, 401, 200]);
});

it('a large message to a busy service gets the 503 of the service, and no second look-up of the key', async () => {
  const paths: (string | undefined)[] = [];
  const busy = { code: 'Unavailable', message: 'Too many requests wait.', requestId: 'id' };
  const service = createServer(({ url }, response) => {
    paths.push(url);
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(JSON.stringify({ error: busy }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port: servicePort } = service.address() as AddressInfo;
  const { port, stop } = await startHttp({ COLOPHON_URL: `http://127.0.0.1:${servicePort}` });
  const { status, headers, body } = await send({ port, body: LARGE });
  await stop();
  service.close();
  expect([status, headers['retry-after'], paths]).toEqual([503, '7', ['/v1/log']]);
  expect(body.error.message).toContain(busy.message);
});

it.each([
  [['mcp'], {}, /Set COLOPHON_API_KEY first/],
  [['mcp', '--port', '1'], { COLOPHON_API_KEY: KEY }, /need --http/],
  [['mcp', '--http', '--root', '.'], {}, /works only over stdio/],
  [['mcp', '--http', '--port', '99999'], {}, /--port takes/],
])('colophon %j with %j is rejected, without output on stdout', async (argv, environment, says) => {
  const { status, stdout, stderr } = await runCli(argv, environment);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(says);
});
