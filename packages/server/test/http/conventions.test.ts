import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  ANN_CREATES,
  jsonPost,
  KEY,
  OTHER_KEY,
  type Service,
  startService,
  toForm,
} from '../support/service.js';

describe('conventions of the API', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PGlite in memory', {
      overrides: { pace: { intervalMs: 200, minBytes: 100, wholeMs: 1_000 } },
    });
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
  });
  afterAll(() => service.stop());

  const post = (path: string, body: unknown, key: string) =>
    service.send(path, jsonPost(body, { 'idempotency-key': key }));

  it('Idempotency-Key: a repetition of an entity, action, attribution or upload gets the first answer', async () => {
    const action = { performedBy: 'ann', outputCids: [] };
    const calls: [string, object][] = [
      ['/v1/entity', { role: 'ai' }],
      ['/v1/action', action],
      [
        '/v1/attribution',
        { entityId: 'ann', role: 'source', resourceCid: (await (await service.upload('x')).json()).cid },
      ],
    ];
    for (const [path, body] of calls) {
      const first = await post(path, body, `"key-${path}"`);
      const again = await post(path, body, `key-${path}`);
      expect([first.status, again.status], path).toEqual([201, 201]);
      expect(await again.json()).toEqual(await first.json());
    }
    const upload = () => service.upload('sent twice', ANN_CREATES, { 'idempotency-key': 'an-upload' });
    const first = await upload();
    const again = await upload();
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
  });

  it('Idempotency-Key 422: another request with the same key records nothing', async () => {
    await post('/v1/entity', { id: 'once', role: 'ai' }, 'reused');
    const other = await post('/v1/entity', { id: 'twice', role: 'ai' }, 'reused');
    expect([other.status, (await other.json()).error.code]).toEqual([422, 'ValidationError']);
    expect((await service.send('/v1/entity/twice')).status).toBe(404);
  });

  it('Idempotency-Key 422: another request with a key that a replay by action id has used', async () => {
    const action = { performedBy: 'ann', id: '0198c0de-0000-7000-8000-00000000d001' };
    await service.send('/v1/action', jsonPost(action));
    expect((await post('/v1/action', action, 'bound-1')).status).toBe(200);
    expect((await post('/v1/action', { performedBy: 'ann' }, 'bound-1')).status).toBe(422);
    expect((await post('/v1/action', action, 'bound-1')).status).toBe(200);

    const file = { ...ANN_CREATES, action: { id: '0198c0de-0000-7000-8000-00000000d002' } };
    const upload = (content: string, json: object, headers = {}) => service.upload(content, json, headers);
    expect((await upload('bound', file)).status).toBe(201);
    const key = { 'idempotency-key': 'bound-2' };
    expect((await upload('bound', file, key)).status).toBe(200);
    expect((await upload('another', ANN_CREATES, key)).status).toBe(422);
  });

  it('Idempotency-Key: the same value is independent on another path and with another API key', async () => {
    expect((await post('/v1/entity', { role: 'ai' }, 'shared')).status).toBe(201);
    expect((await post('/v1/action', { performedBy: 'ann' }, 'shared')).status).toBe(201);
    const headers = { authorization: `Bearer ${OTHER_KEY}`, 'idempotency-key': 'shared' };
    expect((await service.send('/v1/entity', jsonPost({ role: 'human' }, headers))).status).toBe(201);
  });

  it('Idempotency-Key: one of several concurrent repetitions runs, and the others get its answer or 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post('/v1/action', { performedBy: 'ann', type: 'aggregate' }, 'at-once'),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(201);
    expect(statuses.filter((status) => ![201, 409].includes(status))).toEqual([]);
    expect((await (await service.send('/v1/actions?type=aggregate')).json()).count).toBe(1);
  });

  it('Idempotency-Key: a rejected request is not stored; the corrected request succeeds', async () => {
    expect((await post('/v1/action', { performedBy: 'late' }, 'corrected')).status).toBe(404);
    await service.send('/v1/entity', jsonPost({ id: 'late', role: 'ai' }));
    expect((await post('/v1/action', { performedBy: 'late' }, 'corrected')).status).toBe(201);
  });

  it.each(['a b', 'x'.repeat(256), '"', '"a', 'a"', '""'])('Idempotency-Key 400: %j', async (key) => {
    expect((await post('/v1/entity', { role: 'ai' }, key)).status).toBe(400);
  });

  it('ETag: a client with the tag of the answer gets 304; a changed answer has another tag', async () => {
    const read = (headers = {}) => service.send('/v1/entities', { headers });
    const first = await read();
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read({ 'if-none-match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    for (const path of ['/v1/entities', '/v1/entity/ann']) {
      const got = await service.send(path);
      const head = await service.send(path, { method: 'HEAD' });
      for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
        expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
      }
      const tagged = { 'if-none-match': head.headers.get('etag') ?? '' };
      expect((await service.send(path, { method: 'HEAD', headers: tagged })).status).toBe(304);
    }
    await service.send('/v1/entity', jsonPost({ role: 'ai' }));
    expect((await read({ 'if-none-match': etag })).status).toBe(200);
  });

  it('X-Request-Id: the service uses a valid id and replaces any other; header and error contain the id', async () => {
    const answer = await service.send('/v1/entity/none', { headers: { 'x-request-id': 'my-id-1' } });
    expect(answer.headers.get('x-request-id')).toBe('my-id-1');
    expect((await answer.json()).error.requestId).toBe('my-id-1');
    const other = await service.send('/v1/entity/none', { headers: { 'x-request-id': 'not sane' } });
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('CORS: any origin may call, a preflight needs no key, and pages can read the headers of the API', async () => {
    const preflight = await fetch(`${service.base}/v1/activity`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,idempotency-key');
    const answer = await service.send('/v1/entity/ann', { headers: { origin: 'https://page.example' } });
    const ours = ['Colophon-Cid', 'Colophon-Action-Id'];
    for (const name of ['X-RateLimit-Remaining', 'X-Request-Id', 'ETag', 'Retry-After', ...ours]) {
      expect(answer.headers.get('access-control-expose-headers')).toContain(name);
    }
    const toNoPage = await service.send('/v1/entity/ann');
    expect(toNoPage.headers.get('access-control-allow-origin')).toBe('*');
    expect(toNoPage.headers.get('access-control-expose-headers')).toBeNull();
  });

  it('406: Accept excludes JSON; bytes are served for any Accept', async () => {
    for (const accept of [
      'text/html, application/json;q=0',
      'application/json;q=0, */*',
      '*/*, application/*;q=0.0',
      'text/html',
    ]) {
      const refused = await service.send('/v1/entities', { headers: { accept } });
      expect([refused.status, (await refused.json()).error.code]).toEqual([406, 'NotAcceptable']);
    }
    for (const accept of [
      ...['application/json', 'application/*', '*/*;q=0.1', 'text/html, */*', ',', ''],
      ...['application/json, */*;q=0', 'application/*;q=0, application/json'],
    ]) {
      expect((await service.send('/v1/entities', { headers: { accept } })).status).toBe(200);
    }
    const { cid } = await (await service.upload('for any accept')).json();
    expect(
      (await service.send(`/v1/resource/${cid}/content`, { headers: { accept: 'image/png' } })).status,
    ).toBe(200);
  });

  it('408: the service aborts a body below the minimum rate, and still answers other requests', async () => {
    const body = await new Response(toForm('a slow file', ANN_CREATES)).text();
    const boundary = /^--(\S+)/.exec(body)?.[1];
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    socket.write(
      `POST /v1/activity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
        `content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 200)}`,
    );
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"Timeout"/);
    expect((await service.send('/healthz')).status).toBe(200);
  });

  it('408: a JSON body above the minimum rate that exceeds the time limit', async () => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    socket.on('error', () => {});
    socket.write(
      `POST /v1/entity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
        'content-type: application/json\r\ncontent-length: 100000\r\n\r\n{"role":"ai","name":"',
    );
    const timer = setInterval(() => socket.write('x'.repeat(100)), 20);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    clearInterval(timer);
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":"Timeout"/);
  });

  it.each([
    ['201: a body of 3,000 chunks of 1 byte', 3_000, 1, /^HTTP\/1.1 201 /],
    ['201: a body of 10,000 chunks of 32 bytes', 10_000, 32, /^HTTP\/1.1 201 /],
    [
      '400: a body of 20,000 chunks of 1 byte',
      20_000,
      1,
      /^HTTP\/1.1 400 [\s\S]*"InvalidField"[\s\S]*small chunks/,
    ],
  ])('%s', async (_what, count, sizeBytes, expected) => {
    // After too many small chunks, the service does not read new connections of this address for a second.
    const localAddress = '127.0.0.9';
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port), localAddress });
    socket.on('error', () => {});
    const toChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    socket.write(
      `POST /v1/entity HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\nconnection: close\r\n` +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${toChunk('{"role":"ai"')}`,
    );
    // The check begins after the first part that the service reads.
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(`${toChunk(' '.repeat(sizeBytes)).repeat(count)}${toChunk('}')}0\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(expected);
  });

  it('414, 431 and 400 have the same error format as other errors', async () => {
    const long = await service.send(`/v1/entity/${'x'.repeat(2000)}`);
    expect([long.status, (await long.json()).error.code]).toEqual([414, 'UriTooLong']);
    const raw = async (text: string) => {
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
      socket.write(text);
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      return answer;
    };
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 [\s\S]*"HeadersTooLarge"/,
    );
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"InvalidField"/);
  });

  it('an error for a malformed request never interrupts the answer to the earlier request', async () => {
    const large = 'L'.repeat(8_000_000);
    const { cid } = await (await service.upload(large)).json();
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
    socket.write(
      `GET /v1/resource/${cid}/content HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n\r\nGARBAGE\r\n\r\n`,
    );
    let answer = '';
    socket.on('error', () => {});
    try {
      for await (const chunk of socket) answer += chunk;
    } catch {
      // Only the received bytes matter.
    }
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toMatch(/^L*$/);
  });

  it('the service still answers after 50 readers have disconnected early', async () => {
    const { cid } = await (await service.upload('M'.repeat(5_000_000))).json();
    const leave = async () => {
      const stop = new AbortController();
      const answer = await service.send(`/v1/resource/${cid}/content`, { signal: stop.signal });
      stop.abort();
      await answer.arrayBuffer().catch(() => undefined);
    };
    await Promise.all(Array.from({ length: 50 }, leave));
    expect((await service.send('/healthz')).status).toBe(200);
  });

  it('/openapi.json and /llms.txt each generate the OpenAPI document at most once', async () => {
    const written = vi.spyOn(service.context.app, 'swagger');
    const paths = ['/openapi.json', '/llms.txt', '/openapi.json', '/llms.txt'];
    for (const path of paths) expect((await service.send(path)).status).toBe(200);
    const count = written.mock.calls.length;
    written.mockRestore();
    expect(count).toBeLessThanOrEqual(2);
  });

  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br; q=0, gzip;q=0', undefined],
    ['*', 'br'],
    ['deflate, identity', undefined],
  ])(
    'the OpenAPI document has the coding that Accept-Encoding allows: %j gets %j',
    async (accepted, coding) => {
      const accept = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
        service.context.app.inject({ method, url: '/openapi.json', headers: { ...accept, ...headers } });
      const { statusCode, headers, rawPayload } = await ask();
      expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([
        200,
        coding,
        'accept-encoding',
      ]);
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ''];
      expect(JSON.parse(String(decode?.(rawPayload) ?? rawPayload)).openapi).toBe('3.1.0');
      expect(Number(headers['content-length'])).toBe(rawPayload.length);
      const head = await ask({}, 'HEAD');
      expect([head.headers['content-length'], head.headers.etag]).toEqual([
        headers['content-length'],
        headers.etag,
      ]);
      const again = await ask({ 'if-none-match': String(headers.etag) });
      expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
      expect(again.headers.vary).toBe('accept-encoding');
      expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200);
    },
  );

  it('each coding of the OpenAPI document has an ETag of its own', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (coding) => {
        const headers = { 'accept-encoding': coding };
        return (await service.context.app.inject({ url: '/openapi.json', headers })).headers.etag;
      }),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it('/healthz, /readyz, /metrics, /openapi.json, /llms.txt and /docs answer without a key', async () => {
    const read = async (path: string) => (await fetch(service.base + path)).text();
    expect(JSON.parse(await read('/healthz'))).toEqual({ status: 'ok' });
    expect(JSON.parse(await read('/readyz'))).toEqual({
      status: 'ready',
      checks: {
        control: 'ok (pglite)',
        records: 'ok (pglite)',
        search: 'ok (index in memory)',
        bytes: 'ok (in memory: lost on restart)',
        audit: expect.stringMatching(/^ok \(/),
        log: expect.stringMatching(/^ok \(key [0-9a-f]{16}\)$/),
      },
    });
    expect(await read('/metrics')).toMatch(
      /http_server_request_duration_seconds_count\{method="GET",route="\/v1\/entities",status="200"\} \d+/,
    );
    expect(JSON.parse(await read('/openapi.json')).openapi).toBe('3.1.0');
    expect(await read('/docs')).toContain('<h1>Colophon documentation</h1>');
    const forModels = await read('/llms.txt');
    expect(forModels).toMatch(/^# Colophon\n\n> /);
    expect(forModels).toContain('- [GET /v1/bundle/{cid}](/docs/records#getBundle): ');
    expect(forModels).not.toMatch(/management|undefined/);
  });

  it('/docs loads nothing from other hosts; a browser at / is redirected to the page', async () => {
    const page = await (await fetch(`${service.base}/docs`)).text();
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(loaded.length).toBeGreaterThan(2);
    for (const address of loaded) {
      expect(address).not.toMatch(/^(?:https?:)?\/\//);
      expect((await fetch(new URL(address, `${service.base}/docs/`))).status, address).toBe(200);
    }
    const browser = await fetch(service.base, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/app/']);
  });
});
