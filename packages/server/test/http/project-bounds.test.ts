import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenUnits } from '../../src/access/open-units.js';
import { readConfig } from '../../src/config.js';
import { countBody } from '../../src/http/middleware/limit-requests.js';
import { type Service, startService, toForm } from '../support/service.js';

const KEYS = ['first-key', 'second-key', 'third-key'];
const OTHER = 'key-of-another-project';
const API_KEYS = [...KEYS.map((key) => `${key}:one`), `${OTHER}:two`].join();

let service: Service;
const read = (key: string) => service.send('/v1/entities', { headers: { authorization: `Bearer ${key}` } });
const metric = async (bound: string) => {
  const metrics = await (await fetch(`${service.base}/metrics`)).text();
  return Number(new RegExp(`requests_refused_total\\{bound="${bound}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0);
};

describe('PROJECT_RATE_LIMIT_RPM', () => {
  beforeAll(async () => {
    const environment = { API_KEYS, RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '1', PROJECT_RATE_LIMIT_RPM: '6' };
    service = await startService('PGlite in memory', { environment });
  });
  afterAll(() => service.stop());

  it('limits all keys of a project together, and the error names the variable', async () => {
    const statuses: number[] = [];
    for (const key of [...KEYS, ...KEYS, ...KEYS]) statuses.push((await read(key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429]);
    const refused = await read('first-key');
    const { error } = await refused.json();
    expect(error.message).toContain('PROJECT_RATE_LIMIT_RPM');
    expect(error.recovery).toContain('PROJECT_RATE_LIMIT_RPM');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    // A request that the project's limit rejects also counts for the key.
    expect(refused.headers.get('x-ratelimit-limit')).toBe('4');
    expect((await read(OTHER)).status).toBe(200);
    expect(await metric('PROJECT_RATE_LIMIT_RPM')).toBe(4);
    expect((await (await read('first-key')).json()).error.message).toContain('of this API key');
  });

  it('defaults to ten times the limit of one key', () => {
    expect(readConfig({}).projectRateLimit).toEqual({ perMinute: 800, burst: 0 });
    expect(readConfig({ RATE_LIMIT_RPM: '5', RATE_LIMIT_BURST: '0' }).projectRateLimit.perMinute).toBe(50);
  });
});

describe('uploads', () => {
  beforeAll(async () => {
    const environment = { API_KEYS, MAX_PROJECT_UPLOADS: '2', MAX_FORM_SECONDS: '1' };
    // The sender writes every 20 ms. Even on a busy machine, it writes at least once in each of these intervals, so no
    // form is too slow. Only MAX_FORM_SECONDS ends a form.
    const overrides = { pace: { intervalMs: 1_000, minBytes: 1 } };
    service = await startService('PGlite in memory', { environment, overrides });
  });
  afterAll(() => service.stop());

  /** The form never ends. */
  function beginForm(key: string): { socket: Socket; answer: Promise<string> } {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    const head = ['POST /v1/activity HTTP/1.1', 'host: x', `authorization: Bearer ${key}`];
    const type = 'content-type: multipart/form-data; boundary=b';
    socket.write([...head, type, 'transfer-encoding: chunked', '', '4', '--b\r', ''].join('\r\n'));
    const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        resolve(text);
      });
    });
    return { socket, answer };
  }

  it('of one project have MAX_PROJECT_UPLOADS slots, and an upload that ends frees its slot', async () => {
    const open = [beginForm('first-key'), beginForm('second-key')];
    const large = 'x'.repeat(300_000);
    const upload = (key: string) =>
      service.send('/v1/activity', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: toForm(large, { entity: { role: 'human', name: 'Ann' } }),
      });
    await expect.poll(async () => (await upload('third-key')).status).toBe(429);
    const { error } = await (await upload('third-key')).json();
    expect(error.message).toContain('MAX_PROJECT_UPLOADS');
    expect((await upload(OTHER)).status).toBe(201);
    for (const { socket } of open) socket.destroy();
    await expect.poll(async () => (await upload('third-key')).status).not.toBe(429);
    expect(await metric('MAX_PROJECT_UPLOADS')).toBeGreaterThanOrEqual(2);
  });

  it('take at most MAX_FORM_SECONDS, even at a steady rate', async () => {
    const before = await metric('MAX_FORM_SECONDS');
    const answer = await beginForm('first-key').answer;
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*MAX_FORM_SECONDS/);
    await expect.poll(() => metric('MAX_FORM_SECONDS')).toBeGreaterThan(before);
  });
});

describe('request bodies in memory', () => {
  beforeAll(async () => {
    const environment = { API_KEYS, MAX_PROJECT_BODY_BYTES: String(2 ** 22), MEMORY_STORE_BYTES: '600000' };
    service = await startService('PGlite in memory', { environment });
  });
  afterAll(() => service.stop());

  const post = (key: string, body = '{"role":"human","name":"Ann"}') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return service.send('/v1/entity', { method: 'POST', headers, body });
  };

  it('of one project share MAX_PROJECT_BODY_BYTES while they arrive, and release it afterwards', async () => {
    const open = Array.from({ length: 4 }, () => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
      const head = ['POST /v1/entity HTTP/1.1', 'host: x', `authorization: Bearer ${KEYS[0]}`];
      const body = ['content-type: application/json', `content-length: ${2 ** 20}`, '', '{'];
      return socket
        .on('error', () => {})
        .setNoDelay()
        .on('connect', () => {
          socket.write([...head, ...body].join('\r\n'));
        });
    });
    await expect.poll(async () => (await post('second-key')).status).toBe(429);
    const { error } = await (await post('second-key')).json();
    expect(error.message).toContain('MAX_PROJECT_BODY_BYTES');
    expect(error.recovery).toContain('MAX_PROJECT_BODY_BYTES');
    expect((await post(OTHER)).status).toBe(201);
    expect(await metric('MAX_PROJECT_BODY_BYTES')).toBeGreaterThanOrEqual(2);
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await post('second-key')).status).toBe(200);
    for (let sent = 0; sent < 10; sent++)
      expect((await post('second-key', ' '.repeat(2 ** 19))).status).toBe(400);
  });

  it('with many values count as more bytes than their text has', async () => {
    const headers = { authorization: `Bearer ${KEYS[1]}`, 'content-type': 'application/json' };
    const send = (count: number) => {
      const actions = `[${Array.from({ length: count }, () => '{}').join()}]`;
      return service.send('/v1/batch', { method: 'POST', headers, body: `{"actions":${actions}}` });
    };
    expect((await send(30_000)).status).toBe(413);
    const refused = await send(100_000);
    expect(refused.status).toBe(429);
    expect((await refused.json()).error.message).toContain('MAX_PROJECT_BODY_BYTES');
    expect((await send(30_000)).status).toBe(413);
  });

  it('that are too long get 413', async () => {
    expect((await post('second-key', ' '.repeat(2 ** 23))).status).toBe(413);
  });

  it('that are stored for one project leave room in MEMORY_STORE_BYTES for other projects', async () => {
    const upload = (key: string, letter: string) =>
      service.send('/v1/activity', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: toForm(letter.repeat(100_000), { entity: { role: 'human', name: 'Ann' } }),
      });
    const statuses = [];
    for (const letter of 'abcdefg') statuses.push((await upload('first-key', letter)).status);
    expect(statuses).toEqual([201, 201, 201, 413, 413, 413, 413]);
    expect((await upload(OTHER, 'a')).status).toBe(201);
    expect(await metric('MEMORY_STORE_BYTES')).toBe(4);
  });
});

it('an upload takes no slot if its caller left before the service counted the upload', () => {
  const uploads = createOpenUnits(1);
  const asked = {
    request: {
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' },
      routeOptions: { config: {} },
    },
    reply: { raw: { destroyed: true }, request: { raw: { socket: { destroyed: false } } } },
  };
  countBody({ uploads } as never, { projectId: 'one' } as never, asked as never);
  expect(uploads.begin('one')).toBeDefined();
});
