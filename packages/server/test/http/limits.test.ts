import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createNamedProjectKey } from '../../src/access/create-key.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from '../support/service.js';

const LIMIT = 5;
const LIMITS = { RATE_LIMIT_RPM: '3', RATE_LIMIT_BURST: '2', PROJECT_RATE_LIMIT_RPM: '1000' };
/** Each test uses its own keys of the project. */
const KEYS = Array.from({ length: 20 }, (_, index) => `unused-key-${index}`);

let service: Service;

const start = async (environment: Record<string, string>) => {
  service = await startService(ANY_ENGINE, { environment: { ...LIMITS, ...environment } });
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const read = (key: string, headers: Record<string, string> = {}) =>
  service.send('/v1/entities', { headers: { ...bearer(key), ...headers } });
const readTimes = async (times: number, key: string, headers?: Record<string, string>) => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await read(key, headers)).status);
  return statuses;
};
const numberOf = (answer: Response, name: string) => Number(answer.headers.get(name));

describe('rate limits', () => {
  beforeAll(() => start({ API_KEYS: KEYS.map((key) => `${key}:one`).join(), TRUST_PROXY: 'true' }));
  afterAll(() => service.stop());

  let taken = 0;
  const freshKey = () => KEYS[taken++] ?? '';
  const freshAddress = () => ({ 'x-forwarded-for': `203.0.113.${taken++}` });

  it('every answer has limit, remaining and reset, including errors and rejections', async () => {
    const key = freshKey();
    const answers = [
      await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }, bearer(key))),
      await service.send('/v1/entity/ann', { headers: bearer(key) }),
      await service.send('/v1/entity/none', { headers: bearer(key) }),
      await service.send('/v1/entity', jsonPost({ role: 7 }, bearer(key))),
      await read(key, { accept: 'text/html' }),
      await read(key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 404, 422, 406, 429]);
    expect(answers.map((answer) => numberOf(answer, 'x-ratelimit-remaining'))).toEqual([4, 3, 2, 1, 0, 0]);
    for (const answer of answers) {
      expect(numberOf(answer, 'x-ratelimit-limit')).toBe(LIMIT);
      const untilReset = numberOf(answer, 'x-ratelimit-reset') - Date.now() / 1000;
      expect(untilReset).toBeGreaterThan(50);
      expect(untilReset).toBeLessThanOrEqual(61);
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
      const left = numberOf(answer, 'x-ratelimit-remaining');
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=(5\\d|60)$`));
    }
  });

  it('responses 304, 403 and 400 (invalid path) count, and have the headers of the limits', async () => {
    const { control } = service.context.databases;
    const { key } = await createNamedProjectKey(control, {
      projectName: 'one',
      name: 'reader',
      permission: 'read',
    });
    const etag = (await read(key)).headers.get('etag') ?? '';
    const answers = [
      await read(key, { 'if-none-match': etag }),
      await service.send('/v1/action/7', { headers: bearer(key) }),
      await service.send('/v1/entity', jsonPost({ role: 'ai' }, bearer(key))),
    ];
    expect(answers.map(({ status }) => status)).toEqual([304, 400, 403]);
    expect(answers.map((answer) => numberOf(answer, 'x-ratelimit-remaining'))).toEqual([3, 2, 1]);
  });

  it('429 TooManyRequests: Retry-After matches the reset, and the body states how long to wait', async () => {
    const key = freshKey();
    expect(await readTimes(1, key)).toEqual([200]);
    await sleep(2_000);
    expect(await readTimes(LIMIT - 1, key)).toEqual(Array(LIMIT - 1).fill(200));
    const refused = await read(key);
    const { error } = await refused.json();
    const retryAfter = numberOf(refused, 'retry-after');
    expect([refused.status, error.code]).toEqual([429, 'TooManyRequests']);
    expect(retryAfter).toBeLessThanOrEqual(58);
    expect(error.recovery).toContain(`${retryAfter} s`);
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${retryAfter}`);
    const resetIn = numberOf(refused, 'x-ratelimit-reset') - Date.now() / 1000;
    expect(Math.abs(resetIn - retryAfter)).toBeLessThan(2);
  });

  it('unknown paths and wrong methods under /v1 need a key and are counted', async () => {
    const [key, address] = [freshKey(), freshAddress()];
    const ask = (headers: Record<string, string>) =>
      Promise.all([
        service.send('/v1/nothing', { headers }),
        service.send('/v1', { headers }),
        service.send('/v1/entity', { method: 'DELETE', headers }),
        service.send('/v1/entities', { method: 'PROPFIND', headers }),
      ]);
    const strange = await ask({ ...bearer('nope'), ...address });
    expect(strange.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const known = await ask(bearer(key));
    expect(known.map(({ status }) => status)).toEqual([404, 404, 405, 405]);
    expect(await readTimes(2, key)).toEqual([200, 429]);
    expect((await ask(bearer(key))).map(({ status }) => status)).toEqual([429, 429, 429, 429]);
  });

  it('200 and 401 carry no Retry-After', async () => {
    const address = freshAddress();
    expect((await read(freshKey())).headers.get('retry-after')).toBeNull();
    expect((await read('nope', address)).headers.get('retry-after')).toBeNull();
  });

  it('requests are counted by key: another key of the same project and address has its own limit', async () => {
    const [one, other] = [freshKey(), freshKey()];
    expect(await readTimes(LIMIT + 1, one)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await readTimes(LIMIT + 1, other)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await readTimes(1, one, freshAddress())).toEqual([429]);
  });

  it('do not apply to probes, metrics and preflights', async () => {
    const preflight = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
    for (let time = 0; time <= LIMIT; time++) {
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const answer = await fetch(service.base + path);
        expect([answer.status, answer.headers.get('x-ratelimit-limit')], path).toEqual([200, null]);
      }
      const answer = await fetch(`${service.base}/v1/entities`, { method: 'OPTIONS', headers: preflight });
      expect(answer.status).toBe(204);
    }
  });

  it('failed authentications are counted by address, whatever the key', async () => {
    const address = freshAddress();
    const tried = ['nope-1', 'nope-2', `pk_live_${'0'.repeat(46)}`, '', 'nope-1'];
    const answers = await Promise.all(tried.map((key) => read(key, address)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    const remaining = answers.map((answer) => numberOf(answer, 'x-ratelimit-remaining'));
    expect(remaining.sort()).toEqual([0, 1, 2, 3, 4]);
    const refused = await read('nope-3', address);
    expect([refused.status, (await refused.json()).error.code]).toEqual([429, 'TooManyRequests']);
    expect(numberOf(refused, 'retry-after')).toBeGreaterThan(50);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  it.each([
    ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:db8:1:3::1'],
    ['2001:db8::7:1', '2001:0db8:0:0:1:2:3:4', '2001:db8:0:1::'],
    ['2001:db8:5:6:7:8:1.2.3.4', '2001:db8:5:6::', '2001:db8:5::6'],
    ['::ffff:203.0.113.250', '203.0.113.250', '::ffff:203.0.113.251'],
  ])(
    'failed authentications from %s count together with those from %s, and not with those from %s',
    async (one, same, other) => {
      const from = (ip: string) => ({ 'x-forwarded-for': ip });
      expect(await readTimes(LIMIT, 'nope', from(one))).toEqual(Array(LIMIT).fill(401));
      expect(await readTimes(1, 'nope', from(same))).toEqual([429]);
      expect(await readTimes(1, 'nope', from(other))).toEqual([401]);
    },
  );

  it('after too many failures, an address gets 429 for wrong keys, and a valid key still works', async () => {
    const [key, address] = [freshKey(), freshAddress()];
    expect(await readTimes(LIMIT, 'nope', address)).toEqual(Array(LIMIT).fill(401));
    expect(await readTimes(1, 'nope', address)).toEqual([429]);
    const good = await read(key, address);
    expect([good.status, numberOf(good, 'x-ratelimit-remaining')]).toEqual([200, LIMIT - 1]);
  });

  it('valid requests do not count in the limit for failed authentications', async () => {
    const [key, address] = [freshKey(), freshAddress()];
    await readTimes(LIMIT, key, address);
    expect(await readTimes(LIMIT + 1, 'nope', address)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it.each([
    ['key', 'keep-alive'],
    ['address', 'keep-alive'],
    ['key', 'close'],
    ['address', 'close'],
  ])(
    'a 429 of the limit by %s reaches a client that sends 48 MB before it reads (connection: %s)',
    async (by, connection) => {
      const [key, address] = [by === 'key' ? freshKey() : 'nope', freshAddress()];
      await readTimes(LIMIT, key, address);
      const headers = { ...bearer(key), ...address, connection };
      const answers = await Promise.all(Array.from({ length: 2 }, () => sendBeforeReading(headers)));
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*"TooManyRequests"/);
      expect((await fetch(`${service.base}/healthz`)).status).toBe(200);
    },
  );
});

/** Begins to read after the last byte, so the answer has to wait. */
async function sendBeforeReading(headers: Record<string, string>): Promise<string> {
  const body = Buffer.alloc(48_000_000);
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.base).port) });
  const lines = { host: 'a', 'content-length': body.length, ...headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /v1/activity HTTP/1.1\r\n${head.join('')}\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(body, () => resolve());
  });
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (answer.endsWith('}}')) break;
  }
  return answer;
}

describe('the address of a caller', () => {
  afterEach(() => service.stop());

  const readFrom = async (forwarded: string) => (await read('nope', { 'x-forwarded-for': forwarded })).status;

  it('X-Forwarded-For is ignored by default', async () => {
    await start({});
    for (let time = 1; time <= LIMIT; time++) expect(await readFrom(`203.0.113.${time}`)).toBe(401);
    expect(await readFrom('203.0.113.99')).toBe(429);
    expect((await read(KEY)).status).toBe(200);
  });

  it.each([
    ['true', '203.0.113.1', '203.0.113.2', '203.0.113.1, 198.51.100.7'],
    ['1', '203.0.113.1', '203.0.113.2', '198.51.100.7, 203.0.113.1'],
    ['2', '203.0.113.1, 10.0.0.1', '203.0.113.2, 10.0.0.1', '198.51.100.7, 203.0.113.1, 10.0.0.9'],
    ['127.0.0.0/8', '203.0.113.1', '203.0.113.2', '198.51.100.7, 203.0.113.1'],
    ['127.0.0.1, 10.0.0.0/8', '203.0.113.1, 10.1.2.3', '203.0.113.2', '9.9.9.9, 203.0.113.1, 10.9.9.9'],
  ])(
    'TRUST_PROXY=%s: %j is limited separately from %j and together with %j',
    async (trust, one, other, same) => {
      await start({ TRUST_PROXY: trust });
      for (let time = 0; time < LIMIT; time++) expect(await readFrom(one)).toBe(401);
      expect([await readFrom(one), await readFrom(other), await readFrom(same)]).toEqual([429, 401, 429]);
    },
  );

  it.each([
    ['0', '203.0.113.1', '203.0.113.2'],
    ['10.0.0.0/8', '203.0.113.1', '203.0.113.2'],
    ['1', '203.0.113.1, 198.51.100.7', '203.0.113.2, 198.51.100.7'],
  ])('TRUST_PROXY=%s: the claimed addresses %j and %j count as one caller', async (trust, one, other) => {
    await start({ TRUST_PROXY: trust });
    for (let time = 0; time < LIMIT; time++) expect(await readFrom(one)).toBe(401);
    expect(await readFrom(other)).toBe(429);
  });
});
