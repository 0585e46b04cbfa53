import { createHash } from 'node:crypto';
import { distributeBundle, parseVerifierKey, verifyBundle } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { toEtag } from '../../src/records/read/answers.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const ACTIONS = 300;
/** The numbers of characters and bytes differ. */
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

describe('a long response that is made from a history', () => {
  const FILE = 'made from many contents';
  let cid: string;
  beforeAll(async () => {
    for (let at = 0; at < 10; at++) {
      const inputCids = Array.from({ length: 900 }, (_, nth) =>
        cidOf(`made ${at * 30 + Math.floor(nth / 30)} ${nth % 30}`),
      );
      const action = { performedBy: 'studio:ann', inputCids, outputCids: [cidOf('collected')] };
      expect((await service.send('/v1/action', jsonPost(action))).status).toBe(201);
    }
    const action = { type: 'transform', inputCids: [cidOf('collected')] };
    const recorded = await service.upload(FILE, { entity: { id: 'studio:ann', role: 'human' }, action });
    cid = (await recorded.json()).cid;
  });

  /** `largest`: the length of the longest text that this thread joined or parsed at once. */
  async function measure(path: string, init?: RequestInit) {
    const concat = vi.spyOn(Buffer, 'concat');
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await service.send(path, init);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body ?? []) chunks.push(chunk);
    const joined = concat.mock.results.map(({ value }) => (value as Buffer).length);
    const parsed = parse.mock.calls.map(([text]) => String(text).length);
    concat.mockRestore();
    parse.mockRestore();
    return { answer, bytes: Buffer.concat(chunks), largest: Math.max(0, ...joined, ...parsed) };
  }

  it('a search result has the whole history of its match, which is not joined to one text', async () => {
    const body = new FormData();
    body.set('file', new Blob([FILE]), 'file');
    const { answer, bytes, largest } = await measure('/v1/search/file?include=bundle', {
      method: 'POST',
      body,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.length).toBeGreaterThan(2 ** 20);
    expect(largest).toBeLessThan(2 ** 19);
    const { verdict, matches, bundle } = JSON.parse(bytes.toString());
    expect([verdict, matches.length]).toEqual(['exact', 1]);
    expect(bundle).toEqual(await (await service.send(`/v1/bundle/${cid}?limit=1000`)).json());
  });

  it('shares over many contents come unparsed from another thread, with a valid ETag', async () => {
    const path = `/v1/distribution/${cid}?policy=all-ancestors`;
    const { answer, bytes, largest } = await measure(path);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.length).toBeGreaterThan(2 ** 20);
    expect(largest).toBeLessThan(2 ** 19);
    const bundle = await (await service.send(`/v1/bundle/${cid}`)).json();
    expect(bytes.toString()).toBe(JSON.stringify(distributeBundle(bundle, { policy: 'all-ancestors' })));
    const etag = toEtag(bytes);
    expect(answer.headers.get('etag')).toBe(etag);
    const again = await service.send(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('another thread signs a long proven bundle, whose text is not joined', async () => {
    const { counts } = service.context.records.proofs.checker;
    const before = counts.signed;
    const { bytes, largest } = await measure(`/v1/bundle/${cid}?proof=true&limit=6`);
    expect(bytes.length).toBeGreaterThan(2 ** 20);
    expect(largest).toBeLessThan(2 ** 19);
    expect(counts.signed).toBe(before + 1);
    const { verifierKey } = await (await service.send('/v1/log')).json();
    const { publicKey = Buffer.alloc(0) } = parseVerifierKey(verifierKey) ?? {};
    const report = verifyBundle(JSON.parse(bytes.toString()), { publicKey }, createVerifySignature());
    expect(report).toMatchObject({ verified: true, complete: false });
  });

  it('the route for shares of the ProvenanceKit SDK reads no list of contents', async () => {
    const { answer, bytes, largest } = await measure(`/distribution/${cid}?depth=50`);
    expect([answer.status, bytes.length < 1_000]).toEqual([200, true]);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      entries: [{ entityId: 'studio:ann', bps: 10_000 }],
    });
    expect(largest).toBeLessThan(2 ** 19);
  });
});
