import { findUnproven, type Mark, parseTrustedLog, verifyBundle } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { describeLayers } from '../../src/records/credentials/describe-layers.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { createMediaClient, mediaForm, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const files = await makeMediaFiles();
const SOON = { timeout: 30_000 };
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;
const png = files.find(({ mediaType }) => mediaType === 'image/png') as MediaFile;
const AI = { ...SAID, aiDisclosure: 'ai_generated' };
const TEXT = Buffer.from('The heron stands in the shallow water and waits for a fish to pass. '.repeat(4));
const UNKNOWN = (seed: number) => Buffer.from([0, 1, 2, 3, seed]);

type LayerRow = [kind: string, state: string, method: string | undefined];
const rowsOf = ({ layers }: Mark): LayerRow[] =>
  layers.map(({ kind, state, method }) => [kind, state, method]);

describe('marking', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await service.send('/v1/entity', jsonPost({ id: 'studio:painter', role: 'ai' }));
  });
  afterAll(() => service.stop());

  const { post, embed, bytesOf } = createMediaClient(() => service);

  async function mark(file: Uint8Array, json: object = AI, headers: Record<string, string> = {}) {
    const body = mediaForm({ file, json });
    const answer = await service.send('/v1/mark', { method: 'POST', body, headers });
    return { status: answer.status, link: answer.headers.get('link'), body: await answer.json() };
  }
  const actionOf = async (id: string) => (await service.send(`/v1/action/${id}`)).json();

  it('gives a picture its manifest, fingerprint and log entry, and states why it has no watermark', async () => {
    const { status, body, link } = await mark(jpeg.bytes);
    expect(status).toBe(201);
    expect(rowsOf(body)).toEqual([
      ['manifest', 'added', 'c2pa'],
      ['fingerprint', expect.stringMatching(/^(added|pending)$/), 'image-512/1'],
      ['log', 'added', 'rfc6962'],
      ['watermark', 'unavailable', undefined],
    ]);
    expect(body.layers[3].reason).toContain('too small');
    expect(body.manifest.aiDisclosure).toBe('ai_generated');
    const read = await post('extract', { file: await bytesOf(body.cid) });
    expect(read.body.aiDetection).toMatchObject({ isAIGenerated: true, confidence: 'high' });
    const { receiptUrl } = body.layers[2];
    expect(link).toBe(`<${receiptUrl}>; rel="receipt"`);
    expect((await service.send(receiptUrl)).status).toBe(200);
  });

  it('states the disclosure in the log, where it stays if somebody removes the manifest', async () => {
    const { body } = await mark(jpeg.bytes, { ...AI, title: 'Logged' });
    expect((await actionOf(body.actionId)).extensions).toMatchObject({
      'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'Studio', version: '1.0' } },
    });
  });

  describe('by another person than the maker of the recorded picture', () => {
    let [cid, copy, id] = ['', '', ''];
    beforeAll(async () => {
      await service.send('/v1/entity', jsonPost({ id: 'studio:bo', role: 'human', name: 'Bo' }));
      const json = { entity: { id: 'studio:ann', role: 'human' }, action: { type: 'create' } };
      const body = mediaForm({ file: png.bytes, json });
      cid = (await (await service.send('/v1/activity', { method: 'POST', body })).json()).cid;
      const generator = { name: 'painter-2', provider: 'Acme' };
      const made = await mark(png.bytes, { ...AI, generator, entityId: 'studio:bo' });
      copy = made.body.cid;
      const action = await actionOf(made.body.actionId);
      expect(action.extensions['ext:mark@1.0.0'].markedCid).toBe(cid);
      id = (await (await service.send('/v1/publications', jsonPost({ cid: copy }))).json()).id;
    });

    it.each(['direct', 'parents', 'all-ancestors'])(
      'leaves the complete share of the policy %s to the maker of the picture',
      async (policy) => {
        const shared = await (await service.send(`/v1/distribution/${copy}?policy=${policy}`)).json();
        expect(shared).toMatchObject({
          ...{ cid: copy, complete: true },
          shares: [{ entityId: 'studio:ann', share: 10_000, earned: [{ cid, units: 10_000 }] }],
          contents: [
            { cid: copy, distance: 0, basis: 'nobody' },
            { cid, distance: 0 },
          ],
        });
      },
    );

    it('is shown as a marked copy by a publication, and can be proven with the default settings', async () => {
      const shown = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
      expect(shown).toMatchObject({ provable: true, facts: { act: 'marked', ai: 'generated' } });
      const marked = shown.steps.map(({ markedCid }: { markedCid?: string }) => markedCid);
      expect(marked).toEqual([undefined, cid]);
      const credits = shown.credits.map(({ role, cid, marksCopy }: Record<string, unknown>) => [
        ...[role, cid, marksCopy],
      ]);
      expect(credits).toEqual([
        ['creator', cid, undefined],
        ['creator', copy, true],
      ]);
      const proof = await (await fetch(`${service.base}/app/api/public/${id}/proof`)).json();
      const trusted = parseTrustedLog(shown.log.verifierKey);
      const verified = trusted && verifyBundle(proof, trusted, createVerifySignature());
      expect(verified).toMatchObject({ verified: true, complete: true });
      expect(findUnproven(shown, proof)).toBeUndefined();
      const page = await (await fetch(`${service.base}/app/p/${id}`)).text();
      expect(page).toContain('<strong>Bo</strong> made a marked copy: this content from another file');
    });

    it('is shown as the picture of its maker, without the mark, if the publication withholds the tools', async () => {
      const json = { cid: copy, withhold: ['tools'] };
      const { id } = await (await service.send('/v1/publications', jsonPost(json))).json();
      const read = async (path: string) => (await fetch(service.base + path)).text();
      const whole = await read(`/app/api/public/${id}`);
      expect(JSON.parse(whole)).toMatchObject({
        facts: {
          act: 'made',
          ai: 'generated',
          makers: [{ role: 'human', name: 'Ann' }],
          steps: 1,
          sources: 0,
        },
        contents: [{ cid: copy }],
      });
      const others = [`/app/api/public/${id}/summary`, `/app/p/${id}`].map(read);
      for (const text of [whole, ...(await Promise.all(others))]) {
        expect(text).toContain('Ann');
        expect(text).not.toMatch(/\bBo\b|studio:bo|arked copy/);
        expect(text).not.toContain(cid);
      }
    });
  });

  it('reports a fingerprint as added as soon as it exists', async () => {
    const json = { ...AI, actionId: '0198c0de-0000-7000-8000-0000000000f1' };
    expect((await mark(TEXT, json)).status).toBe(201);
    await expect
      .poll(async () => (await mark(TEXT, json)).body.layers[1], SOON)
      .toEqual({ kind: 'fingerprint', state: 'added', method: 'text-512/1' });
  });

  it('rejects an empty file, and so does embed, and the error states the remedy', async () => {
    const { status, body } = await mark(Buffer.alloc(0));
    const rejected = { code: 'ValidationError', recovery: 'Send the file again with its content.' };
    expect([status, body.error]).toEqual([422, expect.objectContaining(rejected)]);
    expect((await embed(Buffer.alloc(0))).body.error).toMatchObject(rejected);
  });

  it('records a file of an unknown format only in the log, and states the reason for each other layer', async () => {
    const file = UNKNOWN(1);
    const { status, body } = await mark(file);
    expect(status).toBe(201);
    expect(rowsOf(body)).toEqual([
      ['manifest', 'unavailable', undefined],
      ['fingerprint', 'unavailable', undefined],
      ['log', 'added', 'rfc6962'],
      ['watermark', 'unavailable', undefined],
    ]);
    expect(body.layers[0].reason).toContain('application/octet-stream');
    expect(body.layers[1].reason).toContain('application/octet-stream');
    expect([body.manifest, body.cid]).toEqual([null, body.inputCid]);
    expect(await bytesOf(body.cid)).toEqual(file);
    expect(await actionOf(body.actionId)).toMatchObject({ type: 'generate', performedBy: 'studio:ann' });
    expect((await mark(file)).body.error.code).toBe('Duplicate');
  });

  it.each([
    ['ai_generated', 'generated'],
    ['ai_assisted', 'assisted'],
    [null, 'human'],
  ])('a publication without a manifest states the disclosure %s as %s', async (aiDisclosure, ai) => {
    const { cid } = (await mark(UNKNOWN(20 + ai.length), { ...SAID, aiDisclosure })).body;
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid, withhold: [] }))).json();
    const { facts } = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
    expect(facts.ai).toBe(ai);
  });

  it('counts the layers of new marks in the metrics', async () => {
    const read = async () => {
      const text = await (await fetch(`${service.base}/metrics`)).text();
      const [, count] = /colophon_mark_layers_total\{kind="log",state="added"\} (\d+)/.exec(text) ?? [];
      return Number(count ?? 0);
    };
    const before = await read();
    const json = { ...AI, actionId: '0198c0de-0000-7000-8000-0000000000f9' };
    for (const _ of [1, 2]) await mark(UNKNOWN(6), json);
    expect(await read()).toBe(before + 1);
  });

  it('names an earlier marked copy as an ingredient; without a manifest, the action names it as an input', async () => {
    const first = (await mark(jpeg.bytes, { ...AI, title: 'Input' })).body;
    const again = (await mark(await bytesOf(first.cid), { ...AI, aiDisclosure: 'ai_assisted' })).body;
    expect(again.manifest.ingredients).toMatchObject([
      { relationship: 'parentOf', manifest: { title: 'Input' } },
    ]);
    const ingredients = [{ cid: first.cid, relationship: 'inputTo' }];
    const unsigned = (await mark(UNKNOWN(2), { ...AI, aiDisclosure: 'ai_assisted', ingredients })).body;
    expect(await actionOf(unsigned.actionId)).toMatchObject({ type: 'transform', inputCids: [first.cid] });
  });

  it('repeated with the same action id or Idempotency-Key, returns the first answer', async () => {
    for (const [file, id] of [
      [jpeg.bytes, '0198c0de-0000-7000-8000-0000000000f2'],
      [UNKNOWN(3), '0198c0de-0000-7000-8000-0000000000f3'],
    ] as const) {
      const first = await mark(file, { ...AI, actionId: id });
      const second = await mark(file, { ...AI, actionId: id });
      expect([first.status, second.status, second.body.cid]).toEqual([201, 200, first.body.cid]);
    }
    const headers = { 'idempotency-key': 'marked-once' };
    const [one, two] = [await mark(UNKNOWN(4), AI, headers), await mark(UNKNOWN(4), AI, headers)];
    expect([one.status, two.status, two.body.actionId]).toEqual([201, 201, one.body.actionId]);
  });

  it.each([
    ['an unknown entity', { ...AI, entityId: 'none' }, 404, 'NotFound'],
    ['no disclosure', { ...AI, aiDisclosure: undefined }, 422, 'ValidationError'],
    ['an AI that claims human work', { ...SAID, entityId: 'studio:painter' }, 422, 'ValidationError'],
    ['an extension `ext:mark`', { ...AI, extensions: { 'ext:mark@1.0.0': AI } }, 422, 'ValidationError'],
  ])(
    'with %s gives an error and records nothing, in a known and an unknown format',
    async (_, json, status, code) => {
      const listed = async () => (await service.send('/v1/resources?limit=200')).text();
      const before = await listed();
      for (const file of [jpeg.bytes, UNKNOWN(5)]) {
        const refused = await mark(file, json);
        expect([refused.status, refused.body.error?.code]).toEqual([status, code]);
      }
      expect(await listed()).toBe(before);
    },
  );
});

it('a service without a key for its log, on PostgreSQL in production, reports the log as unavailable', async () => {
  const service = await startService('PostgreSQL', { environment: { NODE_ENV: 'production' } });
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
  const body = mediaForm({ file: UNKNOWN(1), json: AI });
  const answer = await service.send('/v1/mark', { method: 'POST', body });
  expect([answer.status, (await answer.json()).layers[2]]).toEqual([
    201,
    { kind: 'log', state: 'unavailable', reason: expect.stringContaining('SERVER_SIGNING_KEY') },
  ]);
  await service.stop();
});

it('a database that fails after the recording leaves the fingerprint pending, and causes no error', async () => {
  const content = { cid: 'c', actionId: 'a', mimeType: 'text/plain', size: 1_000, validation: null };
  const marking = { watermarking: { reason: 'none' }, replayed: true };
  const provenance = { query: () => Promise.reject(new Error('The database stopped.')) };
  const records = { provenance, matching: { kinds: new Set(['text'] as const) } };
  const layers = await describeLayers({ records, transparencyLog: { signer: undefined } }, 'p', {
    ...content,
    ...marking,
  });
  expect(layers[1]).toMatchObject({ kind: 'fingerprint', state: 'pending', method: 'text-512/1' });
  expect(layers[3]).toMatchObject({
    state: 'unavailable',
    reason: expect.stringContaining('could not check'),
  });
});
