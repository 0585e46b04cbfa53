import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBombs } from '../support/bombs.js';
import { residentBytes, type ServiceProcess, startProcess } from '../support/process.js';
import { jsonPost, KEY, toForm } from '../support/service.js';

const WORKER_MEMORY_BYTES = 768 * 2 ** 20;
/** 512 MiB are for all other work. */
const MAX_GROWTH_BYTES = WORKER_MEMORY_BYTES + 512 * 2 ** 20;

const BOMBS = makeBombs();

describe('a file that expands far beyond its size', () => {
  let service: ServiceProcess;
  let baseBytes: number;
  const watch = { peakBytes: 0, answered: 0, unanswered: 0 };
  let timer: NodeJS.Timeout;

  beforeAll(async () => {
    service = await startProcess({ WORKER_MEMORY_BYTES: String(WORKER_MEMORY_BYTES) });
    await service.upload('first');
    await extract(BOMBS[3]?.bytes ?? Buffer.alloc(0));
    baseBytes = residentBytes(service.pid);
    timer = setInterval(() => {
      watch.peakBytes = Math.max(watch.peakBytes, residentBytes(service.pid));
      fetch(`${service.base}/healthz`, { signal: AbortSignal.timeout(15_000) }).then(
        ({ ok }) => void (ok ? watch.answered++ : watch.unanswered++),
        () => void watch.unanswered++,
      );
    }, 250);
  }, 180_000);
  afterAll(async () => {
    clearInterval(timer);
    await service?.stop();
  });

  const extract = (bytes: Buffer) => {
    const form = toForm(bytes, {});
    form.delete('json');
    return service.send('/v1/media/extract', { method: 'POST', body: form });
  };

  it.each(BOMBS)(
    'is recorded, and read or rejected, within its time limit: $name',
    { timeout: 180_000 },
    async ({ bytes }) => {
      expect(bytes.length).toBeLessThan(10_000_000);
      const recorded = await service.upload(bytes);
      expect(recorded.status, await recorded.text()).toBe(201);
      const read = await extract(bytes);
      const body = await read.text();
      expect([200, 413, 415, 422, 504], body).toContain(read.status);
      if (read.status === 200) expect(JSON.parse(body)).toMatchObject({ manifest: null });
    },
  );

  const fields = (count: number, part: string) => ({
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `${part.repeat(count)}--b--\r\n`,
  });
  const deep = (open: string, close: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"metadata":${open.repeat(100_000)}1${close.repeat(100_000)}}`,
  });
  const wide = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 1]));
  it.each<[string, string, number, RequestInit]>([
    [
      '10^5 fields',
      '/v1/activity',
      400,
      fields(1e5, '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n'),
    ],
    [
      '10^5 files',
      '/v1/activity',
      400,
      fields(1e5, '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n1\r\n'),
    ],
    ['nested lists', '/v1/entity', 422, deep('[', ']')],
    ['nested objects', '/v1/entity', 422, deep('{"a":', '}')],
    ['10^5 members', '/v1/entity', 422, jsonPost({ ...wide, role: 'human' })],
    [
      'a compressed body',
      '/v1/entity',
      415,
      {
        method: 'POST',
        body: gzipSync(Buffer.alloc(2 ** 26)),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
    ],
  ])('a request with %s is rejected', async (_name, path, status, init) => {
    const answer = await service.send(path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${KEY}` },
    });
    expect([answer.status, (await answer.json()).error.code]).toEqual([status, expect.any(String)]);
  });

  it('raises memory by at most the limit of the threads plus 512 MiB, and blocks no other request', () => {
    const growth = watch.peakBytes - baseBytes;
    process.stdout.write(
      `upload bombs: ${Math.round(growth / 2 ** 20)} MiB more than ${Math.round(baseBytes / 2 ** 20)} at the most; ${watch.answered} answers meanwhile\n`,
    );
    expect(watch.answered).toBeGreaterThan(10);
    expect(watch.unanswered).toBe(0);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
