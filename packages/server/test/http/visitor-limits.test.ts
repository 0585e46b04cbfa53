import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryStore, HALF_OF_THE_REST } from '../../src/blobs/memory-store.js';
import { askAsPage, type PageUser, signUpFirst } from '../support/page-user.js';
import { ANY_ENGINE, KEY, type Service, startService } from '../support/service.js';

const LIMIT = 5;
const LIMITS = { RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '2' };

let service: Service;

const start = async (environment: Record<string, string>) => {
  service = await startService(ANY_ENGINE, { environment: { ...LIMITS, ...environment } });
};

describe('requests without a key', () => {
  /** The limit does not cover probes and short reads by the page. */
  const UNCOUNTED = ['/healthz', '/readyz', '/app/api/session'];
  const HIDDEN = [
    '/openapi.json',
    '/llms.txt',
    '/docs/json',
    '/docs/yaml',
    '/app/first/x',
    '/none',
    '/v2/none',
  ];
  const FILES = [
    '/app',
    '/app/',
    '/app/explore/x',
    '/app/badge.js',
    '/docs',
    '/docs/records',
    '/docs/reference.css',
  ];

  let taken = 1;
  beforeAll(() => start({ PUBLIC_LOGS: 'all', PUBLIC_DETECTOR: 'true', TRUST_PROXY: 'true' }));
  afterAll(() => service.stop());

  const ask = (path: string, address: string, init: RequestInit = {}) =>
    fetch(service.base + path, {
      redirect: 'manual',
      ...init,
      headers: { 'x-forwarded-for': address, ...init.headers },
    });
  const statusOf = async (...call: Parameters<typeof ask>) => {
    const answer = await ask(...call);
    await answer.arrayBuffer();
    return answer.status;
  };
  const useUp = async (address: string) => {
    for (let time = 0; time < LIMIT; time++) expect(await statusOf('/', address)).toBe(200);
  };

  it('are counted together by address, on every GET route except probes and short reads by the page', async () => {
    const { paths } = await (await ask('/openapi.json', '198.51.100.1')).json();
    const open = Object.entries<{ get?: { security?: unknown[] } }>(paths)
      .filter(([path, { get }]) => get?.security?.length === 0 && !UNCOUNTED.includes(path))
      .map(([path]) => path.replaceAll(/\{(\w+)\}/g, '00000000-0000-4000-8000-000000000000'));
    expect(open.length).toBeGreaterThan(8);
    await useUp('198.51.100.2');
    for (const [place, path] of [...open, ...HIDDEN].entries()) {
      expect([path, await statusOf(path, '198.51.100.2')]).toEqual([path, 429]);
      expect([path, await statusOf(path, `198.51.100.${3 + place}`)]).not.toEqual([path, 429]);
    }
    for (const path of UNCOUNTED) expect([path, await statusOf(path, '198.51.100.2')]).toEqual([path, 200]);
  });

  it.each([
    ['a HEAD', '/openapi.json', { method: 'HEAD' }, 200],
    ['a conditional request', '/openapi.json', { headers: { 'if-none-match': '*' } }, 304],
    ['another method', '/openapi.json', { method: 'DELETE' }, 405],
    ['another method of a probe', '/readyz', { method: 'POST' }, 405],
    ['an unknown path with a key', '/none', { headers: { authorization: `Bearer ${KEY}` } }, 404],
    ['a missing file of the page', '/app/assets/none.js', {}, 404],
    ['a name that no file can have', '/app/assets/-x', {}, 404],
    ['a path with a wrong percent-encoding', '/v1/entity/%zz', {}, 400],
  ])('%s is counted', async (_name, path, init, status) => {
    const address = `192.0.2.${taken++}`;
    for (let time = 0; time < LIMIT; time++) expect(await statusOf(path, address, init)).toBe(status);
    expect(await statusOf(path, address, init)).toBe(429);
  });

  it('for files of the page have a separate limit, 20 times as high', async () => {
    const address = '203.0.113.1';
    await useUp(address);
    const statuses: number[] = [];
    for (let time = 0; time < 20 * LIMIT; time++)
      statuses.push(await statusOf(FILES[time % FILES.length] ?? '', address));
    expect(statuses.filter((status) => status !== 200 && status !== 302)).toEqual([]);
    for (const path of FILES) {
      const refused = await ask(path, address);
      expect([path, refused.status, (await refused.json()).error.code]).toEqual([
        path,
        429,
        'TooManyRequests',
      ]);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(await statusOf('/app/', '203.0.113.2')).toBe(200);
  });
});

describe('reads by the page', () => {
  const ORGS = '/management/orgs';
  beforeAll(() => start({ TRUST_PROXY: 'true' }));
  afterAll(() => service.stop());

  it('are limited separately by address and by user; the limit of a user covers all addresses', async () => {
    const ann = await signUpFirst(service);
    const statusOf = async (address: string, read: PageUser['ask'], path = ORGS) => {
      const answer = await read(path, { headers: { 'x-forwarded-for': address } });
      await answer.arrayBuffer();
      return answer.status;
    };
    for (let time = 0; time < 5 * LIMIT; time++)
      expect(await statusOf(`198.51.100.${time}`, ann.ask)).toBe(200);
    const refused = await ann.ask(ORGS, { headers: { 'x-forwarded-for': '198.51.100.99' } });
    expect([refused.status, (await refused.json()).error.message]).toEqual([
      429,
      expect.stringMatching(/25 reads by this user .* RATE_LIMIT_RPM \+ RATE_LIMIT_BURST/),
    ]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    const address = '203.0.113.1';
    const visitor: PageUser['ask'] = (path, init) => askAsPage(service, path, init);
    const paths = ['/session', ORGS, '/none'];
    for (let time = 0; time < 20 * LIMIT; time++)
      expect([200, 401]).toContain(await statusOf(address, visitor, paths[time % paths.length]));
    for (const path of paths) expect(await statusOf(address, visitor, path)).toBe(429);
    expect(await statusOf('203.0.113.2', visitor, '/session')).toBe(200);
  });
});

describe('bytes that are not HTTP', () => {
  const statusOf = async (text: string, localAddress = '127.0.0.1') => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port), localAddress });
    socket.write(text);
    return Number(/^HTTP\/1.1 (\d+)/.exec(String(Buffer.concat(await socket.toArray())))?.[1]);
  };
  const METHOD = 'NONE / HTTP/1.1\r\nhost: x\r\n\r\n';
  const LONG = `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nhost: x\r\n\r\n`;
  afterEach(() => service.stop());

  it('are counted with the other requests without a key', async () => {
    await start({});
    const statuses = [];
    for (const text of [METHOD, LONG, METHOD, LONG, METHOD]) statuses.push(await statusOf(text));
    expect(statuses).toEqual([400, 414, 400, 414, 400]);
    for (const text of [METHOD, LONG]) expect(await statusOf(text)).toBe(429);
    expect((await fetch(`${service.base}/llms.txt`)).status).toBe(429);
    expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
    expect(await statusOf(METHOD, '127.0.0.2')).toBe(400);
  });

  it('are not counted for a trusted proxy, which sends the requests of many clients', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8' });
    for (let time = 0; time < LIMIT + 2; time++) expect(await statusOf(METHOD)).toBe(400);
  });
});

describe('the open connections of an address', () => {
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await service.stop();
  });

  async function open(localAddress = '127.0.0.1'): Promise<{ socket: Socket; answered: boolean }> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port), localAddress });
    socket.on('error', () => {});
    sockets.push(socket);
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    const answered = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]);
    return { socket, answered };
  }
  const openTimes = async (times: number, localAddress?: string) => {
    const opened = [];
    for (let time = 0; time < times; time++) opened.push(await open(localAddress));
    return opened;
  };

  it('are limited: a further connection is closed without an answer, until another one closes', async () => {
    await start({ MAX_ADDRESS_CONNECTIONS: '3' });
    const [first, ...others] = await openTimes(5);
    expect([first, ...others].map((one) => one?.answered)).toEqual([true, true, true, false, false]);
    expect((await open('127.0.0.2')).answered).toBe(true);
    const { metrics } = await readMetrics('127.0.0.3');
    expect(metrics).toContain('colophon_requests_refused_total{bound="MAX_ADDRESS_CONNECTIONS"} 2');
    first?.socket.destroy();
    await expect.poll(async () => (await open()).answered).toBe(true);
    expect((await open()).answered).toBe(false);
  });

  it.each(['true', '1', '127.0.0.0/8'])(
    'are not counted for a trusted proxy (TRUST_PROXY=%s)',
    async (trust) => {
      await start({ MAX_ADDRESS_CONNECTIONS: '3', TRUST_PROXY: trust });
      expect((await openTimes(5)).map(({ answered }) => answered)).toEqual(Array(5).fill(true));
    },
  );

  it('are counted for every address that is not a trusted proxy', async () => {
    await start({ MAX_ADDRESS_CONNECTIONS: '3', TRUST_PROXY: '127.0.0.2' });
    expect((await openTimes(4, '127.0.0.2')).map(({ answered }) => answered)).toEqual(Array(4).fill(true));
    expect((await openTimes(4)).map(({ answered }) => answered)).toEqual([true, true, true, false]);
  });

  it('are closed when they have more than 16 requests without a response', async () => {
    await start({});
    const pipeline = async (requests: number) => {
      const { socket } = await open();
      const closed = once(socket, 'close');
      const parts: Buffer[] = [];
      socket.on('data', (part: Buffer) => parts.push(part));
      const line = 'GET /pipelined HTTP/1.1\r\nhost: x\r\n';
      socket.write(`${`${line}\r\n`.repeat(requests - 1)}${line}connection: close\r\n\r\n`);
      await closed;
      return String(Buffer.concat(parts)).match(/HTTP\/1.1 4(04|29)/g)?.length ?? 0;
    };
    expect(await pipeline(16)).toBe(16);
    let parsed = 0;
    service.context.app.server.on('request', () => {
      parsed += 1;
    });
    expect(await pipeline(1_500)).toBe(0);
    // One request to /healthz, 16 requests that the limit allows, and the one that closes the connection.
    expect(parsed).toBe(18);
    expect(await pipeline(16)).toBe(16);
    const { metrics } = await readMetrics('127.0.0.3');
    expect(metrics).toContain('colophon_requests_refused_total{bound="pipelining"} 1');
    const routed = [...metrics.matchAll(/duration_seconds_count\{[^}]*status="4(?:04|29)"\} (\d+)/g)];
    expect(routed.reduce((sum, [, count]) => sum + Number(count), 0)).toBeLessThanOrEqual(48);
  });

  it('are closed after too many small chunks in a body', async () => {
    await start({});
    const { socket } = await open('127.0.0.2');
    const closed = once(socket, 'close');
    socket.write('POST /v1/entity HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write('1\r\n \r\n'.repeat(8_000));
    await closed;
    const { metrics } = await readMetrics('127.0.0.3');
    expect(metrics).toContain('colophon_requests_refused_total{bound="tinyChunks"} 1');
  });

  it('answer the pipelined requests before malformed bytes', async () => {
    await start({});
    const { socket } = await open();
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    const closed = once(socket, 'close');
    socket.write(`${'GET /pipelined HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3)}\0\r\n\r\n`);
    await closed;
    expect(String(Buffer.concat(parts)).match(/HTTP\/1.1 404/g)).toHaveLength(3);
  });

  function readMetrics(localAddress: string): Promise<{ metrics: string }> {
    return new Promise((resolve, reject) => {
      const asked = httpRequest(`${service.base}/metrics`, { localAddress, agent: false }, async (answer) => {
        resolve({ metrics: String(Buffer.concat(await answer.toArray())) });
      });
      asked.once('error', reject);
      asked.end();
    });
  }
});

describe('probes', () => {
  it('that arrive within `probeAgeMs` share the checks of /readyz, and one text of /metrics', async () => {
    let checks = 0;
    const blobs = createMemoryStore(1_000_000, HALF_OF_THE_REST);
    const counting = { ...blobs, check: async () => void checks++ };
    service = await startService('PGlite in memory', { overrides: { blobs: counting, probeAgeMs: 60_000 } });
    const ask = async (path: string) => (await fetch(service.base + path)).text();
    const before = checks;
    const states = await Promise.all(Array.from({ length: 5 }, () => ask('/readyz')));
    states.push(await ask('/readyz'));
    expect(new Set(states).size).toBe(1);
    expect(checks - before).toBe(1);
    const first = await ask('/metrics');
    await ask('/llms.txt');
    expect(await ask('/metrics')).toBe(first);
    await service.stop();
  });

  it('see one series of metrics for all paths and methods that the service refuses', async () => {
    service = await startService(ANY_ENGINE, { overrides: { probeAgeMs: 0 } });
    const ask = (path: string, method: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = httpRequest(service.base + path, { method }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.once('error', reject);
        asked.end();
      });
    const statuses: (number | undefined)[] = [];
    for (const path of ['/llms.txt', '/openapi.json', '/healthz'])
      for (const method of ['PURGE', 'MKCOL', 'LOCK']) statuses.push(await ask(path, method));
    expect(new Set(statuses)).toEqual(new Set([405]));
    const text = await (await fetch(`${service.base}/metrics`)).text();
    const refused = text.match(/^http_server_request_duration_seconds_count\{.*status="405".*$/gm);
    expect(refused).toEqual([expect.stringMatching(/method="other",route="refused",status="405"\} 9$/)]);
    await service.stop();
  });
});
