import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendPath } from '../support/send-path.js';
import { ANY_ENGINE, jsonPost, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';
const FROM_ELSEWHERE = { origin: 'https://elsewhere.example' };

describe('without ADMIN_PORT', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { METRICS_TOKEN } });
  });
  afterAll(() => service.stop());

  it.each(['/metrics', '/readyz', '/management/orgs', '/%6danagement/orgs', '/management/none'])(
    'pages of other origins get no access to %s',
    async (path) => {
      const asked = { ...FROM_ELSEWHERE, authorization: `Bearer ${MANAGEMENT_KEY}` };
      const preflight = { ...FROM_ELSEWHERE, 'access-control-request-method': 'GET' };
      const answers = [
        await fetch(service.base + path, { headers: asked }),
        await fetch(service.base + path, { method: 'OPTIONS', headers: preflight }),
      ];
      for (const { headers } of answers)
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(answers[1]?.status).toBe(404);
    },
  );

  it('/metrics requires METRICS_TOKEN if it is set', async () => {
    const ask = async (authorization?: string) =>
      (
        await fetch(
          `${service.base}/metrics`,
          authorization === undefined ? {} : { headers: { authorization } },
        )
      ).status;
    expect(await ask()).toBe(401);
    expect(await ask(`Bearer ${MANAGEMENT_KEY}`)).toBe(401);
    expect(await ask(`Bearer ${METRICS_TOKEN}`)).toBe(200);
  });
});

describe('with ADMIN_PORT', () => {
  let service: Service;
  let adminBase: string;
  beforeAll(async () => {
    const environment = { ADMIN_PORT: '0', METRICS_TOKEN, PUBLIC_URL: 'https://page.example' };
    service = await startService(ANY_ENGINE, { environment });
    adminBase = service.adminBase ?? '';
  });
  afterAll(() => service.stop());

  const secret = { authorization: `Bearer ${MANAGEMENT_KEY}`, 'x-user-id': 'ann' };

  it.each([
    '/management/users/me',
    '/%6danagement/me',
    '/management%2fusers%2fme',
    '//management/users/me',
    '/./management/users/me',
    '/v1/../management/users/me',
    '/metrics',
    '/%6Detrics',
    '/metrics/',
  ])('PORT answers %s like any unknown path', async (path) => {
    const headers = {
      ...secret,
      ...(path.includes('etrics') ? { authorization: `Bearer ${METRICS_TOKEN}` } : {}),
    };
    // A path under `/v1` returns 401 before it can return 404.
    expect([401, 404]).toContain(await sendPath(service.base, path, headers));
  });

  it('ADMIN_PORT serves only operator routes, health routes and their API reference', async () => {
    const made = await fetch(
      `${adminBase}/management/orgs`,
      jsonPost({ name: 'Photos', slug: 'photos' }, secret),
    );
    expect(made.status).toBe(201);
    const metrics = { authorization: `Bearer ${METRICS_TOKEN}` };
    await service.send('/v1/entities');
    const text = await (await fetch(`${adminBase}/metrics`, { headers: metrics })).text();
    expect(text).toMatch(/route="\/v1\/entities",status="200"\} \d+/);
    for (const path of ['/healthz', '/readyz', '/docs'])
      expect((await fetch(adminBase + path)).status, path).toBe(200);
    for (const path of ['/v1/entities', '/entities', '/app/', '/app/api/session'])
      expect((await fetch(adminBase + path)).status, path).toBe(404);
    const pathsOf = async (base: string) =>
      Object.keys((await (await fetch(`${base}/openapi.json`)).json()).paths);
    const [own, callers] = [await pathsOf(adminBase), await pathsOf(service.base)];
    expect(own.filter((path) => path.startsWith('/management/')).length).toBeGreaterThan(10);
    expect(own.filter((path) => /^\/(v1|app)\//.test(path))).toEqual([]);
    expect(callers.filter((path) => path.startsWith('/management'))).toEqual([]);
  });

  it('the API reference of each port describes only its own address and routes', async () => {
    const read = async (base: string) => (await fetch(`${base}/docs`)).text();
    const [own, callers] = [await read(adminBase), await read(service.base)];
    expect(own).toContain('All paths begin at the address of this page without <code>/docs</code>');
    expect(own).toContain('<code>MANAGEMENT_API_KEY</code>');
    expect(own).not.toMatch(/page\.example|<code>\/(v1|public|log|app\/api)<\/code>|COLOPHON_API_KEY/);
    expect(callers).toContain('All paths begin at <code>https://page.example</code>');
    for (const shown of ['/v1', '/public', '/app/api']) expect(callers).toContain(`<code>${shown}</code>`);
    expect(callers).not.toContain('MANAGEMENT_API_KEY');
  });
});

describe('the Host header of requests to the page', () => {
  const session = '/app/api/session';

  it('must name this machine or the host of PUBLIC_URL; the error 403 names this variable', async () => {
    const service = await startService(ANY_ENGINE);
    const ask = (host: string) => sendPath(service.base, session, { host });
    expect(await ask('rebound.example')).toBe(403);
    expect(await ask('127.0.0.1.rebound.example')).toBe(403);
    for (const host of ['localhost:3001', '127.0.0.1', '[::1]:3001']) expect(await ask(host), host).toBe(200);
    const refused = await service.context.app.inject({ url: session, headers: { host: 'rebound.example' } });
    expect(refused.json().error.message).toContain('PUBLIC_URL');
    await service.stop();
  });

  it('may be another name behind a proxy only if Origin is PUBLIC_URL', async () => {
    const environment = { PUBLIC_URL: 'https://page.example' };
    const service = await startService(ANY_ENGINE, { environment });
    const ask = (headers: Record<string, string>) => sendPath(service.base, session, headers);
    expect(await ask({ host: 'page.example' })).toBe(200);
    expect(await ask({ host: 'page.example:81' })).toBe(403);
    expect(await ask({ host: 'inside:3001' })).toBe(403);
    expect(await ask({ host: 'inside:3001', origin: 'https://page.example' })).toBe(200);
    await service.stop();
  });
});
