import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MediaEngineOptions } from '../../src/media/create-media-engine.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { createMediaClient, mediaForm, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const files = await makeMediaFiles();
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;

describe('embedding', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    for (const entity of [
      { id: 'studio:ann', role: 'human', name: 'Ann' },
      { id: 'studio:painter', role: 'ai' },
    ])
      await service.send('/v1/entity', jsonPost(entity));
  });
  afterAll(() => service.stop());

  const { post, embed, bytesOf } = createMediaClient(() => service);

  it('records one action from the file to the signed file; the signed content has the extension ext:c2pa', async () => {
    const { body } = await embed(jpeg.bytes, { aiDisclosure: 'ai_generated', title: 'Once' });
    const action = await (await service.send(`/v1/action/${body.actionId}`)).json();
    expect(action).toMatchObject({
      type: 'generate',
      performedBy: 'studio:ann',
      inputCids: [body.inputCid],
      outputCids: [body.cid],
    });
    const resource = await (await service.send(`/v1/resource/${body.cid}`)).json();
    expect(resource.extensions['ext:c2pa@1.0.0']).toMatchObject({
      manifestCid: expect.stringMatching(/^baf/),
      generator: 'Studio/1.0',
      aiDisclosure: 'ai_generated',
      actions: ['c2pa.created'],
      ingredientCids: [],
      validSignature: true,
      signedBy: 'Colophon development',
    });
    expect((await (await service.send(`/v1/bundle/${body.cid}`)).json()).actions).toHaveLength(1);
  });

  it.each([
    [null, 'human'],
    ['ai_assisted', 'assisted'],
    ['ai_generated', 'generated'],
  ])('a publication of a file with the disclosure %s states %s', async (aiDisclosure, ai) => {
    const { cid } = (await embed(jpeg.bytes, { aiDisclosure, title: `Published ${ai}` })).body;
    const { id } = await (await service.send('/v1/publications', jsonPost({ cid }))).json();
    const { facts } = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
    expect(facts.ai).toBe(ai);
  });

  it('a signed file keeps its history, readable from the file alone', async () => {
    const first = (await embed(jpeg.bytes, { title: 'First' })).body;
    const second = (await embed(await bytesOf(first.cid), { title: 'Second', aiDisclosure: 'ai_assisted' }))
      .body;
    expect(second.inputCid).toBe(first.cid);
    const { body } = await post('extract', { file: await bytesOf(second.cid) });
    expect(body.manifest).toMatchObject({
      title: 'Second',
      ingredients: [{ relationship: 'parentOf', manifest: { title: 'First' } }],
    });
    const resource = await (await service.send(`/v1/resource/${second.cid}`)).json();
    expect(resource.extensions['ext:c2pa@1.0.0'].ingredientCids).toEqual([first.cid]);
    const bundle = await (await service.send(`/v1/bundle/${second.cid}`)).json();
    expect(bundle.actions).toHaveLength(2);
  });

  it('ingredients come from recorded content or from parts of the form, and are inputs', async () => {
    const png = files.find(({ mediaType }) => mediaType === 'image/png') as MediaFile;
    const recorded = await (await service.upload(png.bytes)).json();
    const webp = files.find(({ mediaType }) => mediaType === 'image/webp') as MediaFile;
    const ingredients = [
      { cid: recorded.cid, title: 'Sky', id: 'sky' },
      { part: 'ingredient-1', relationship: 'inputTo' },
    ];
    const actions = [{ action: 'c2pa.placed', ingredients: ['sky'] }];
    const json = { ...SAID, ingredients, actions };
    const { status, body } = await post('embed', { file: jpeg.bytes, 'ingredient-1': webp.bytes, json });
    expect([status, body.validation?.state]).toEqual([201, 'valid']);
    const action = await (await service.send(`/v1/action/${body.actionId}`)).json();
    expect(action.inputCids).toHaveLength(3);
    expect(action.inputCids).toContain(recorded.cid);
    expect(body.manifest.ingredients.map(({ title }: { title: string | null }) => title)).toContain('Sky');
  });

  it('a request may name the earlier version only of a file without a manifest; otherwise 422', async () => {
    const first = (await embed(jpeg.bytes, { title: 'Before' })).body;
    const ingredients = [{ cid: first.cid, relationship: 'parentOf' }];
    const png = files.find(({ mediaType }) => mediaType === 'image/png') as MediaFile;
    const { body } = await embed(png.bytes, { ingredients, actions: [{ action: 'c2pa.converted' }] });
    expect(body).toMatchObject({
      validation: { state: 'valid' },
      manifest: {
        actions: [{ action: 'c2pa.opened' }, { action: 'c2pa.converted' }],
        ingredients: [{ relationship: 'parentOf', manifest: { title: 'Before' } }],
      },
    });
    const twice = await embed(await bytesOf(first.cid), { ingredients });
    expect([twice.status, twice.body.error.details[0].path]).toEqual([422, 'ingredients.0.relationship']);
  });

  it('a manifest dates each action, including the actions that the service adds', async () => {
    const timestamp = '2026-03-03T03:03:03.000Z';
    const { body } = await embed(jpeg.bytes, {
      timestamp,
      actions: [{ action: 'c2pa.cropped', when: '2026-02-02T02:02:02Z' }, { action: 'c2pa.published' }],
    });
    expect(body.manifest.actions).toMatchObject([
      { action: 'c2pa.created', when: timestamp },
      { action: 'c2pa.cropped', when: '2026-02-02T02:02:02.000Z' },
      { action: 'c2pa.published', when: timestamp },
    ]);
    const began = Date.now();
    const { manifest } = (await embed(await bytesOf(body.cid), { aiDisclosure: 'ai_assisted' })).body;
    for (const { when } of manifest.actions) expect(Date.parse(when)).toBeGreaterThanOrEqual(began - 1000);
    expect(manifest.actions).toHaveLength(2);
  });

  it.each([
    ['image/jpeg', 'image/jpeg'],
    ['image/*', 'image/jpeg'],
    ['application/octet-stream', 'image/jpeg'],
    ['image/jpeg, */*', 'image/jpeg'],
    ['application/json;q=0, */*', 'image/jpeg'],
    ['application/json;q=0.5, image/jpeg', 'image/jpeg'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json, image/jpeg;q=0.9', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
  ])('Accept: %s returns %s', async (accept, type) => {
    const form = mediaForm({ file: jpeg.bytes, json: SAID });
    const answer = await service.send('/v1/media/embed', { method: 'POST', body: form, headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.status).toBe(accept === 'text/html' ? 406 : 201);
    await answer.arrayBuffer();
  });

  it('a manifest names an ingredient that is not a media file, such as a prompt', async () => {
    const json = {
      ...SAID,
      ingredients: [{ part: 'ingredient-prompt', relationship: 'inputTo', title: 'Prompt' }],
    };
    const { status, body } = await post('embed', {
      file: jpeg.bytes,
      'ingredient-prompt': Buffer.from('a beach at dusk'),
      json,
    });
    expect([status, body.validation?.state]).toEqual([201, 'valid']);
    expect(body.manifest.ingredients).toMatchObject([{ title: 'Prompt', relationship: 'inputTo' }]);
    const action = await (await service.send(`/v1/action/${body.actionId}`)).json();
    expect(action.inputCids).toHaveLength(2);
  });

  it('a repetition with another ingredient gets 422 by Idempotency-Key, and 409 by action id', async () => {
    const json = { ...SAID, ingredients: [{ part: 'ingredient-a' }] };
    const ask = (text: string, more: object, headers: Record<string, string> = {}) =>
      post(
        'embed',
        { file: jpeg.bytes, 'ingredient-a': Buffer.from(text), json: { ...json, ...more } },
        headers,
      );
    const keyed = { 'idempotency-key': 'with-parts' };
    expect((await ask('one', {}, keyed)).status).toBe(201);
    expect((await ask('two', {}, keyed)).status).toBe(422);
    const actionId = '0198c0de-0000-7000-8000-00000000e002';
    expect((await ask('one', { actionId })).status).toBe(201);
    expect((await ask('two', { actionId })).status).toBe(409);
  });

  it('a part that no ingredient names is rejected', async () => {
    const unnamed = await post('embed', { file: jpeg.bytes, 'ingredient-x': Buffer.from('x'), json: SAID });
    expect([unnamed.status, unnamed.body.error.code]).toEqual([400, 'InvalidField']);
  });

  it('a file with a damaged manifest is not signed as new', async () => {
    const png = files.find(({ mediaType }) => mediaType === 'image/png') as MediaFile;
    const signed = await bytesOf((await embed(png.bytes, { aiDisclosure: 'ai_assisted' })).body.cid);
    const at = signed.indexOf('caBX');
    signed.write('caBx', at, 'latin1');
    const { status, body } = await embed(signed);
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('cannot be read')]);
  });

  it('reports in /metrics the duration of each pass over a file, such as `thumbnail` or `sign`', async () => {
    await embed(jpeg.bytes);
    const metrics = await (await service.send('/metrics')).text();
    for (const pass of ['receive', 'read', 'thumbnail', 'sign', 'verify', 'store', 'record']) {
      expect(metrics).toMatch(new RegExp(`^media_passes_total\\{pass="${pass}"\\} [1-9]`, 'm'));
      expect(metrics).toMatch(
        new RegExp(`^media_pass_seconds_total\\{pass="${pass}"\\} [0-9.e-]*[1-9]`, 'm'),
      );
    }
  });

  it('returns the bytes if Accept names their media type, with the ids in headers', async () => {
    const form = mediaForm({ file: jpeg.bytes, json: SAID });
    const headers = { accept: 'image/jpeg' };
    const answer = await service.send('/v1/media/embed', { method: 'POST', body: form, headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'image/jpeg']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(await bytesOf(answer.headers.get('colophon-cid') ?? ''))).toBe(true);
    expect(answer.headers.get('colophon-action-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['an AI performer', { entityId: 'studio:painter' }],
    ['an AI tool', { aiTool: { provider: 'Acme', model: 'painter' } }],
    ['ext:ai', { extensions: { 'ext:ai@1.0.0': { provider: 'Acme', model: 'painter' } } }],
    ['a generate action', { actionType: 'generate' }],
  ])('%s: 422 with the disclosure null, 201 with a disclosure', async (_, json) => {
    const refused = await embed(jpeg.bytes, json);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'aiDisclosure']);
    expect((await embed(jpeg.bytes, { ...json, aiDisclosure: 'ai_generated' })).status).toBe(201);
  });

  it('the credentials of a request sign the file and are not stored; an error names invalid credentials', async () => {
    const { certificatePem, privateKeyPem } = makeSigner({ kind: 'Ed25519' });
    const own = { signingCertificate: certificatePem, signingKey: privateKeyPem };
    const { body } = await embed(jpeg.bytes, own);
    expect(body.manifest.signature).toMatchObject({
      algorithm: 'Ed25519',
      commonName: 'Signer of the tests',
    });
    const mismatch = await embed(jpeg.bytes, { ...own, signingKey: makeSigner().privateKeyPem });
    expect([mismatch.status, mismatch.body.error.message]).toEqual([
      422,
      expect.stringContaining('does not belong to the certificate'),
    ]);
    const half = await embed(jpeg.bytes, { signingCertificate: certificatePem });
    expect(half.status).toBe(422);
    const { provenance } = service.context.databases;
    const kept = await provenance.query('select * from provenance.action');
    expect(JSON.stringify(kept)).not.toContain('PRIVATE KEY');
  });

  it('a repetition gets the first answer and records nothing', async () => {
    const headers = { 'idempotency-key': 'embed-once' };
    const first = await embed(jpeg.bytes, { title: 'Keyed' }, headers);
    const again = await embed(jpeg.bytes, { title: 'Keyed' }, headers);
    expect([again.body.cid, again.body.actionId]).toEqual([first.body.cid, first.body.actionId]);
    expect(again.body.manifest).toEqual(first.body.manifest);
    expect((await embed(jpeg.bytes, { title: 'Other' }, headers)).status).toBe(422);
    const actionId = '0198c0de-0000-7000-8000-00000000e001';
    const named = await embed(jpeg.bytes, { actionId });
    const replayed = await embed(jpeg.bytes, { actionId });
    expect([named.status, replayed.status, replayed.body.cid]).toEqual([201, 200, named.body.cid]);
    expect((await embed(jpeg.bytes, { actionId, title: 'Other' })).status).toBe(409);
  });

  it.each([
    ['an absent entity', { entityId: 'nobody' }, 404],
    ['an absent ingredient', { ingredients: [{ cid: `sha256:${'0'.repeat(64)}` }] }, 404],
    ['an absent part', { ingredients: [{ part: 'ingredient-9' }] }, 400],
    ['an unknown field', { nosuch: 1 }, 422],
    ['no disclosure', { aiDisclosure: undefined }, 422],
    ['an unknown action name', { actions: [{ action: 'cropped' }] }, 422],
    ['two origins', { actions: [{ action: 'c2pa.created' }, { action: 'c2pa.created' }] }, 422],
    ['opening a file without a history', { actions: [{ action: 'c2pa.opened' }] }, 422],
  ])('%s: %i, and no action is recorded', async (_, json, status) => {
    const before = await (await service.send('/v1/actions')).text();
    expect((await embed(jpeg.bytes, json)).status).toBe(status);
    expect(await (await service.send('/v1/actions')).text()).toBe(before);
  });

  it('one project cannot see content that another project signed', async () => {
    const { body } = await embed(jpeg.bytes, { title: 'Private' });
    const headers = { authorization: `Bearer ${OTHER_KEY}` };
    expect((await service.send(`/v1/resource/${body.cid}`, { headers })).status).toBe(404);
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production', ALLOW_EMBEDDED_IN_PRODUCTION: 'true', HOST: '127.0.0.1' };
  const embedOnce = async (environment: Record<string, string>, json: object = {}) => {
    const service = await startService('PGlite in a directory', {
      environment: { ...production, ...environment },
    });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
    const body = mediaForm({ file: jpeg.bytes, json: { ...SAID, ...json } });
    const answer = await service.send('/v1/media/embed', { method: 'POST', body });
    const result = { status: answer.status, body: await answer.json() };
    await service.stop();
    return result;
  };
  const { certificatePem, privateKeyPem } = makeSigner();
  const signer = { C2PA_SIGNING_CERT: certificatePem, C2PA_SIGNING_KEY: privateKeyPem };

  it('the service signs nothing without a configured signer', async () => {
    const { status, body } = await embedOnce({});
    expect([status, body.error.message]).toEqual([422, 'No signing certificate and key are available.']);
  });

  it('a mark without a configured signer is rejected before the service computes the watermark', async () => {
    const service = await startService('PGlite in a directory', { environment: production });
    const run = vi.spyOn(service.context.records.scheduler, 'run');
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
    const body = mediaForm({ file: jpeg.bytes, json: { ...SAID, aiDisclosure: 'ai_generated' } });
    const answer = await service.send('/v1/mark', { method: 'POST', body });
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      422,
      'No signing certificate and key are available.',
    ]);
    expect(run.mock.calls.map(([{ kind }]) => kind)).not.toContain('describe');
    await service.stop();
  });

  it('a signer without a trust anchor is rejected, unless C2PA_ALLOW_UNTRUSTED_SIGNER is true', {
    timeout: 180_000,
  }, async () => {
    const refused = await embedOnce(signer);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'signingCertificate']);
    const allowed = await embedOnce({ ...signer, C2PA_ALLOW_UNTRUSTED_SIGNER: 'true' });
    expect([allowed.status, allowed.body.validation.state]).toEqual([201, 'valid']);
  });

  it('a signer with a trust anchor signs trusted files', async () => {
    const { status, body } = await embedOnce({ ...signer, C2PA_TRUST_ANCHORS: trustAnchorPem });
    expect([status, body.validation.state]).toEqual([201, 'trusted']);
  });
});

it('if the time-stamp authority of C2PA_TSA_URL fails, nothing is recorded', async () => {
  const asked: string[] = [];
  const fetch: MediaEngineOptions['fetch'] = async (url) => {
    asked.push(String(url));
    return { ok: false, status: 500, body: null };
  };
  const environment = { C2PA_TSA_URL: 'https://time.example/stamp' };
  const service = await startService(ANY_ENGINE, { environment, overrides: { media: { fetch } } });
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
  const body = mediaForm({ file: jpeg.bytes, json: SAID });
  const answer = await service.send('/v1/media/embed', { method: 'POST', body });
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'Unavailable']);
  expect(asked).toEqual(['https://time.example/stamp']);
  expect((await (await service.send('/v1/actions')).json()).count).toBe(0);
  await service.stop();
});

it('without the C2PA engine: a media route returns 503 with the reason, and a recording still works', async () => {
  const overrides = { media: { wasmFile: '/nowhere/c2pa.wasm' } };
  const service = await startService(ANY_ENGINE, { overrides });
  const formats = await (await service.send('/v1/media/formats')).json();
  expect([formats.available, formats.reason]).toEqual([false, expect.stringContaining('c2pa.wasm')]);
  const body = mediaForm({ file: jpeg.bytes });
  const answer = await service.send('/v1/media/extract', { method: 'POST', body });
  expect([answer.status, (await answer.json()).error]).toMatchObject([
    503,
    { code: 'Unavailable', message: expect.stringContaining('c2pa.wasm') },
  ]);
  expect((await service.upload(jpeg.bytes)).status).toBe(201);
  await service.stop();
});

it('the error 413 for a media file over MAX_MEDIA_BYTES names this variable', async () => {
  const service = await startService(ANY_ENGINE, { environment: { MAX_MEDIA_BYTES: '1000' } });
  const body = mediaForm({ file: Buffer.concat([jpeg.bytes, Buffer.alloc(2_000)]) });
  const answer = await service.send('/v1/media/extract', { method: 'POST', body });
  expect([answer.status, (await answer.json()).error.recovery]).toEqual([
    413,
    expect.stringContaining('MAX_MEDIA_BYTES'),
  ]);
  await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
  const { cid } = await (await service.upload(Buffer.alloc(2_000))).json();
  const json = { ...SAID, aiDisclosure: 'ai_generated', ingredients: [{ cid, relationship: 'inputTo' }] };
  const statusOf = async (route: string, bytes: Buffer) =>
    (await service.send(`/v1/${route}`, { method: 'POST', body: mediaForm({ file: bytes, json }) })).status;
  // `mark` writes no manifest into an unknown format, so it does not copy the bytes of the ingredient.
  expect(await statusOf('media/embed', jpeg.bytes.subarray(0, 900))).toBe(413);
  expect(await statusOf('mark', Buffer.from([0, 1, 2]))).toBe(201);
  await service.stop();
});
