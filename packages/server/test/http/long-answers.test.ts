import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toEtag } from '../../src/records/read/answers.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const ACTIONS = 300;
/** Not ASCII, so that the numbers of characters and bytes differ. */
const MODEL = '– é'.repeat(80);
const cidOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const ROOT = cidOf('root');

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
  const actions = Array.from({ length: ACTIONS }, (_, place) => ({
    performedBy: 'studio:ann',
    inputCids: [ROOT],
    outputCids: Array.from({ length: 30 }, (_, nth) => cidOf(`made ${place} ${nth}`)),
    aiTool: { provider: 'acme', model: MODEL },
    sessionId: 'long',
  }));
  for (let at = 0; at < ACTIONS; at += 100) {
    const batch = await service.send('/v1/batch', jsonPost({ actions: actions.slice(at, at + 100) }));
    expect([batch.status, await batch.text()]).toEqual([201, expect.any(String)]);
  }
});
afterAll(() => service.stop());

it.each([
  ['a bundle', `/v1/bundle/${ROOT}?direction=descendants&limit=1000`],
  ['a session', '/v1/session/long/provenance'],
  ['a graph', `/v1/graph/${ROOT}?direction=descendants&limit=1000`],
  ['an export', `/v1/bundle/${ROOT}?direction=descendants&limit=1000&format=prov-json`],
])('%s of more than 1 MiB is sent whole, with its length and a valid ETag', async (_, path) => {
  const answer = await service.send(path);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBeGreaterThan(2 ** 20);
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  expect(bytes.toString()).toContain(MODEL);
  expect(JSON.parse(bytes.toString())).toBeTypeOf('object');

  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toBe(toEtag(bytes));
  const head = await service.send(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
    200,
    String(bytes.length),
    etag,
  ]);
  const again = await service.send(path, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('the service still answers after an aborted download', async () => {
  const leaving = new AbortController();
  const answer = await service.send(`/v1/bundle/${ROOT}?direction=descendants&limit=1000`, {
    signal: leaving.signal,
  });
  const reader = answer.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(value?.length).toBeGreaterThan(0);
  leaving.abort();
  await expect(reader?.read()).rejects.toThrow();
  expect((await service.send('/v1/log')).status).toBe(200);
});
