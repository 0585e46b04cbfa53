import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const FIRST_LOAD_BYTES = 200_000;

describe('the page of the service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  /** The bytes as sent, still compressed. */
  const readRaw = (path: string, encoding: string) =>
    new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      request(`${service.base}${path}`, { headers: { 'accept-encoding': encoding } }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece) => pieces.push(piece));
        answer.on('end', () => resolve({ headers: answer.headers, bytes: Buffer.concat(pieces) }));
      })
        .once('error', reject)
        .end();
    });
  const listFirstLoad = async () => {
    const html = await (await fetch(`${service.base}/app/`)).text();
    return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  };

  it('needs less than 200 kB compressed for its first view, all from this service', async () => {
    const addresses = await listFirstLoad();
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !address.startsWith('/app/assets/'))).toEqual([]);
    const sizes = await Promise.all(addresses.map(async (one) => (await readRaw(one, 'br')).bytes.length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it('sends its assets compressed on request, cacheable permanently', async () => {
    const script = (await listFirstLoad()).find((address) => address.endsWith('.js')) ?? '';
    const plain = await readRaw(script, 'identity');
    for (const [asked, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', undefined],
    ]) {
      const { headers, bytes } = await readRaw(script, asked ?? '');
      expect(headers['content-encoding']).toBe(sent);
      expect(headers['cache-control']).toMatch(/max-age=31536000.*immutable/);
      expect(headers['content-type']).toMatch(/javascript/);
      expect(bytes.length < plain.bytes.length).toBe(sent === 'br');
    }
  });

  it('is one document for all its paths, revalidated each time, under a strict policy', async () => {
    for (const path of ['/app/', '/app/shares/bafy']) {
      const answer = await fetch(service.base + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it.each([
    ['/app/assets/none.js', 404],
    ['/app/assets/..%2f..%2fpackage.json', 404],
    ['/app/api/none', 401],
    ['/app/api', 401],
  ])('answers %s with an error as JSON, never with its document', async (path, status) => {
    const answer = await fetch(service.base + path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toHaveProperty('error.code');
  });
});
