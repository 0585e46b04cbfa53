import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const FIRST_LOAD_BYTES = 160_000;

describe('the page of the service', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  const readRaw = (address: string, encoding: string) =>
    new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      request(`${service.base}${address}`, { headers: { 'accept-encoding': encoding } }, (answer) => {
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
  const findScript = async () =>
    (await listFirstLoad()).find((address) => /draw-page[^/]*\.js$/.test(address)) ?? '';

  it('needs less than 160 kB compressed for its first view, all from this service', async () => {
    const addresses = await listFirstLoad();
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.filter((address) => !address.startsWith('/app/assets/'))).toEqual([]);
    const sizes = await Promise.all(addresses.map(async (one) => (await readRaw(one, 'br')).bytes.length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it('sends its assets compressed on request, cacheable for a year', async () => {
    const script = await findScript();
    const plain = await readRaw(script, 'identity');
    for (const [asked, sent] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ]) {
      const { headers, bytes } = await readRaw(script, asked ?? '');
      expect(headers['content-encoding']).toBe(sent);
      expect(headers['cache-control']).toMatch(/max-age=31536000.*immutable/);
      expect(headers['content-type']).toMatch(/javascript/);
      expect(headers.vary).toBe('accept-encoding');
      expect(bytes.length < plain.bytes.length).toBe(sent !== undefined);
    }
  });

  it('sends 304 to a browser with a file in the same coding, and 404 for the path of a compressed copy', async () => {
    const script = await findScript();
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(service.base + path, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    for (const path of [script, '/app/', '/app/badge.js']) {
      const tags = new Set<string>();
      for (const coding of ['br', 'gzip', 'identity']) {
        const accepted = { 'accept-encoding': coding };
        const tag = (await ask(path, accepted)).headers.get('etag') ?? '';
        const again = await ask(path, { ...accepted, 'if-none-match': tag });
        expect([path, again.status, again.text.length]).toEqual([path, 304, 0]);
        expect(again.headers.get('vary')).toBe('accept-encoding');
        tags.add(tag);
      }
      expect(tags.size).toBe(3);
      const head = await fetch(service.base + path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
      expect(head.headers.get('content-length')).toBe(String((await readRaw(path, 'br')).bytes.length));
    }
    for (const copy of [`${script}.br`, `${script}.gz`]) expect((await ask(copy, {})).status).toBe(404);
  });

  it('keeps no file open for its responses; responses that nobody reads share the bytes of a file', async () => {
    const script = await findScript();
    const folder = path.dirname(createRequire(import.meta.url).resolve('@colophon/web/package.json'));
    const files = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
        } catch {
          return false; // The descriptor of the folder itself is closed by now.
        }
      }).length;
    const { port } = new URL(service.base);
    const request = `GET ${script} HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n`;
    const sockets = Array.from({ length: 100 }, () => connect({ host: '127.0.0.1', port: Number(port) }));
    const { arrayBuffers } = process.memoryUsage();
    for (const socket of sockets) {
      socket.on('error', () => {}).pause();
      socket.write(request.repeat(40));
    }
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    await fetch(`${service.base}/healthz`);
    expect(files()).toBe(0);
    // An unread response refers to a few pieces of the shared bytes.
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(sockets.length * 100_000);
    expect((await fetch(service.base + script)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('is one document for all its paths, revalidated each time, with a strict content security policy', async () => {
    for (const path of ['/app/', '/app/shares/bafy']) {
      const answer = await fetch(service.base + path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('asks search engines to list only the pages that are for everybody', async () => {
    const robotsOf = async (path: string) => (await fetch(service.base + path)).headers.get('x-robots-tag');
    for (const path of ['/app/', '/app/check']) expect([path, await robotsOf(path)]).toEqual([path, null]);
    const publication = 'a'.repeat(24);
    for (const path of ['library', 'manage/orgs/planet', 'explore/bafy', `p/${publication}`, 'p/x'])
      expect([path, await robotsOf(`/app/${path}`)]).toEqual([path, 'noindex']);
    for (const path of ['', '/summary', '/picture'])
      expect([path, await robotsOf(`/app/api/public/${publication}${path}`)]).toEqual([path, 'noindex']);
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
