import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flipContent, type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { ENGINES, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const files = await makeMediaFiles();
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;
const SAID = { entityId: 'studio:ann', generator: { name: 'Studio', version: '1.0' }, aiDisclosure: null };

const toForm = (parts: Record<string, Uint8Array | object>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (value instanceof Uint8Array) form.set(name, new Blob([value as BlobPart]), 'file');
    else form.set(name, JSON.stringify(value));
  }
  return form;
};

// What is received lies in a directory of this run's own, so that what is left there can be seen.
const received = mkdtempSync(path.join(tmpdir(), 'colophon-test-'));
process.env.TMPDIR = received;
afterAll(() => rmSync(received, { recursive: true }));

describe.each(ENGINES.filter((engine) => !engine.includes('directory')))('media on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
    for (const entity of [
      { id: 'studio:ann', role: 'human', name: 'Ann' },
      { id: 'studio:painter', role: 'ai' },
    ])
      await service.send('/v1/entity', jsonPost(entity));
  });
  afterAll(() => service.stop());

  const post = async (path: string, parts: Record<string, Uint8Array | object>, headers = {}) => {
    const answer = await service.send(`/v1/media/${path}`, { method: 'POST', body: toForm(parts), headers });
    return { status: answer.status, body: await answer.json() };
  };
  const embed = (file: Uint8Array, json: object = {}, headers = {}) =>
    post('embed', { file, json: { ...SAID, ...json } }, headers);
  const bytesOf = async (cid: string) =>
    Buffer.from(await (await service.send(`/v1/resource/${cid}/content`)).arrayBuffer());

  describe('extract', () => {
    it('a file without a manifest: four times null', async () => {
      const { status, body } = await post('extract', { file: jpeg.bytes });
      expect([status, body]).toMatchObject([
        200,
        { manifest: null, aiDetection: null, validation: null, bundle: null, mimeType: 'image/jpeg' },
      ]);
      expect(body).not.toHaveProperty('unverifiedManifest');
    });

    it('a signed file: what it says, whom it names, and as which records', async () => {
      const made = await embed(jpeg.bytes, {
        title: 'Beach',
        aiDisclosure: 'ai_assisted',
        actions: [{ action: 'c2pa.color_adjustments', when: '2026-08-02T09:30:00Z' }],
        metadata: { order: '7' },
      });
      const { body } = await post('extract', { file: await bytesOf(made.body.cid) });
      expect(body).toMatchObject({
        manifest: {
          title: 'Beach',
          generator: 'Studio/1.0',
          aiDisclosure: 'ai_assisted',
          metadata: { order: '7', inputCid: made.body.inputCid, actionId: made.body.actionId },
          signature: { issuer: 'Colophon development', algorithm: 'Es256' },
        },
        aiDetection: {
          isAIGenerated: false,
          isAIAssisted: true,
          confidence: 'high',
          source: 'c2pa-manifest',
        },
        validation: { state: 'valid' },
        display: { aiLabel: 'Edited with AI' },
        bundle: { cid: made.body.cid, complete: true },
      });
      expect(body.manifest.actions.map(({ action }: { action: string }) => action)).toEqual([
        'c2pa.created',
        'c2pa.color_adjustments',
      ]);
      expect(body.bundle.resources.map(({ type }: { type: string }) => type)).toContain('image');
    });

    it.each(files.map(({ mediaType }) => mediaType))(
      '%s, signed and altered: invalid, and nobody is told that it is so',
      async (mediaType) => {
        const file = files.find((one) => one.mediaType === mediaType) as MediaFile;
        const made = await embed(file.bytes);
        expect([made.status, made.body.validation?.state]).toEqual([201, 'valid']);
        const { body } = await post('extract', { file: flipContent(file, await bytesOf(made.body.cid)) });
        expect(body).toMatchObject({
          manifest: null,
          bundle: null,
          validation: { state: 'invalid' },
          unverifiedManifest: { generator: 'Studio/1.0' },
        });
      },
    );

    it('nothing is recorded or stored by it, and no file is left on the disk', async () => {
      const before = await (await service.send('/v1/actions')).text();
      await post('extract', { file: files[1]?.bytes as Buffer });
      await post('verify', { file: files[1]?.bytes as Buffer });
      expect(await (await service.send('/v1/actions')).text()).toBe(before);
      expect(readdirSync(received).filter((name) => name.startsWith('colophon-media-'))).toEqual([]);
    });

    it.each([
      ['no media at all', Buffer.from('plain text'), 415],
      ['an empty file', Buffer.alloc(0), 415],
    ])('%s: refused', async (_, file, status) => {
      const { body, status: answered } = await post('extract', { file });
      expect([answered, body.error.code]).toEqual([status, 'Unsupported']);
    });
  });

  describe('embed', () => {
    it('records one action from the file to the signed one, which carries ext:c2pa', async () => {
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

    it('a file that is signed already keeps its history, readable from the file alone', async () => {
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

    it('the bytes themselves where Accept names them, with the ids in headers', async () => {
      const form = toForm({ file: jpeg.bytes, json: SAID });
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
      ['a generate action', { actionType: 'generate' }],
    ])('%s with a null disclosure: 422, and with one: 201', async (_, json) => {
      const refused = await embed(jpeg.bytes, json);
      expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'aiDisclosure']);
      expect((await embed(jpeg.bytes, { ...json, aiDisclosure: 'ai_generated' })).status).toBe(201);
    });

    it('credentials of the request sign; faulty ones are named, and kept nowhere', async () => {
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
      ['an entity that is not there', { entityId: 'nobody' }, 404],
      ['an ingredient that is not there', { ingredients: [{ cid: `sha256:${'0'.repeat(64)}` }] }, 404],
      ['a part that is not there', { ingredients: [{ part: 'ingredient-9' }] }, 400],
      ['an unknown field', { nosuch: 1 }, 422],
      ['no disclosure', { aiDisclosure: undefined }, 422],
      ['an action name of nobody', { actions: [{ action: 'cropped' }] }, 422],
      ['two origins', { actions: [{ action: 'c2pa.created' }, { action: 'c2pa.created' }] }, 422],
      ['opening what has no history', { actions: [{ action: 'c2pa.opened' }] }, 422],
    ])('%s: %i, and nothing is left', async (_, json, status) => {
      const before = await (await service.send('/v1/actions')).text();
      expect((await embed(jpeg.bytes, json)).status).toBe(status);
      expect(await (await service.send('/v1/actions')).text()).toBe(before);
    });

    it('what one project signed is not there for another', async () => {
      const { body } = await embed(jpeg.bytes, { title: 'Private' });
      const headers = { authorization: `Bearer ${OTHER_KEY}` };
      expect((await service.send(`/v1/resource/${body.cid}`, { headers })).status).toBe(404);
    });
  });

  describe('settings of a project', () => {
    const manage = async (path: string, method: string, body: object) =>
      (await service.manage('ann', path, { method, body })).json();

    it('sign and trust for it, and for no other', async () => {
      await manage('/orgs', 'POST', { name: 'Daily Planet', slug: 'planet' });
      const { id } = await manage('/projects', 'POST', { orgSlug: 'planet', name: 'Front page' });
      const { key } = await manage('/api-keys', 'POST', { projectId: id, name: 'key', permissions: 'write' });
      const { certificatePem: signingCertificate, privateKeyPem: signingKey } = makeSigner({
        subject: 'The Planet',
      });
      await manage(`/projects/${id}`, 'PUT', {
        signingCertificate,
        signingKey,
        trustAnchors: trustAnchorPem,
      });
      const headers = { authorization: `Bearer ${key}` };
      await service.send('/v1/entity', { ...jsonPost({ id: 'studio:ann', role: 'human' }, headers) });
      const made = await embed(jpeg.bytes, {}, headers);
      expect(made.body).toMatchObject({
        manifest: { signature: { commonName: 'The Planet' } },
        validation: { state: 'trusted' },
      });
      const signed = await service.send(`/v1/resource/${made.body.cid}/content`, { headers });
      const file = Buffer.from(await signed.arrayBuffer());
      expect((await post('verify', { file }, headers)).body).toMatchObject({
        hasManifest: true,
        validation: { state: 'trusted' },
      });
      expect((await post('verify', { file })).body.validation.state).toBe('valid');
    });

    it('that cannot sign are refused when they are set', async () => {
      const { id } = await manage('/projects', 'POST', { orgSlug: 'planet', name: 'Faulty' });
      const { certificatePem: signingCertificate } = makeSigner();
      const other = makeSigner().privateKeyPem;
      const refused = await manage(`/projects/${id}`, 'PUT', { signingCertificate, signingKey: other });
      expect(refused.error).toMatchObject({ code: 'ValidationError', details: [{ path: 'signingKey' }] });
      const anchors = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
      const garbage = await manage(`/projects/${id}`, 'PUT', { trustAnchors: anchors });
      expect(garbage.error.code).toBe('ValidationError');
    });
  });

  describe('import', () => {
    it('records what a valid file says, once however often it is imported', async () => {
      const first = (await embed(jpeg.bytes, { title: 'Imported 1' })).body;
      const second = (
        await embed(await bytesOf(first.cid), { title: 'Imported 2', aiDisclosure: 'ai_assisted' })
      ).body;
      const headers = { authorization: `Bearer ${OTHER_KEY}` };
      const file = await bytesOf(second.cid);
      const imported = await post('import', { file }, headers);
      expect([imported.status, imported.body.cid]).toEqual([201, second.cid]);
      const read = async () =>
        (await service.send(`/v1/bundle/${second.cid}`, { headers })).json() as Promise<
          Record<string, unknown[]>
        >;
      const bundle = await read();
      expect(bundle.actions).toHaveLength(imported.body.actionIds.length);
      expect(bundle.actions?.length).toBeGreaterThan(2);
      const bytes = await service.send(imported.body.contentUrl, { headers });
      expect(Buffer.from(await bytes.arrayBuffer()).equals(file)).toBe(true);
      const resource = await (await service.send(`/v1/resource/${second.cid}`, { headers })).json();
      expect(resource.extensions['ext:c2pa@1.0.0']).toMatchObject({
        title: 'Imported 2',
        validSignature: true,
      });
      expect((await post('import', { file }, headers)).status).toBe(201);
      expect(await read()).toEqual(bundle);
    });

    it.each([
      ['without a manifest', () => jpeg.bytes],
      ['altered', async () => flipContent(jpeg, await bytesOf((await embed(jpeg.bytes)).body.cid))],
    ])('a file %s: 422, and nothing is recorded', async (_, make) => {
      const before = await (await service.send('/v1/actions')).text();
      const file = await make();
      const after = await (await service.send('/v1/actions')).text();
      const { status, body } = await post('import', { file });
      expect([status, body.error.code]).toEqual([422, 'ValidationError']);
      expect(await (await service.send('/v1/actions')).text()).toBe(after);
      expect(before.length).toBeGreaterThan(0);
    });
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production', ALLOW_EMBEDDED_IN_PRODUCTION: 'true', HOST: '127.0.0.1' };
  const embedOnce = async (environment: Record<string, string>, json: object = {}) => {
    const service = await startService('PGlite in a directory', {
      environment: { ...production, ...environment },
    });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
    const body = toForm({ file: jpeg.bytes, json: { ...SAID, ...json } });
    const answer = await service.send('/v1/media/embed', { method: 'POST', body });
    const result = { status: answer.status, body: await answer.json() };
    await service.stop();
    return result;
  };
  const { certificatePem, privateKeyPem } = makeSigner();
  const signer = { C2PA_SIGNING_CERT: certificatePem, C2PA_SIGNING_KEY: privateKeyPem };

  it('nothing signs by itself', async () => {
    const { status, body } = await embedOnce({});
    expect([status, body.error.message]).toEqual([422, 'There is nothing to sign with.']);
  });

  it('a signer that leads to no anchor is refused, unless that is allowed', async () => {
    const refused = await embedOnce(signer);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'signingCertificate']);
    const allowed = await embedOnce({ ...signer, C2PA_ALLOW_UNTRUSTED_SIGNER: 'true' });
    expect([allowed.status, allowed.body.validation.state]).toEqual([201, 'valid']);
  });

  it('a signer that leads to an anchor signs trusted files', async () => {
    const { status, body } = await embedOnce({ ...signer, C2PA_TRUST_ANCHORS: trustAnchorPem });
    expect([status, body.validation.state]).toEqual([201, 'trusted']);
  });
});

it('limits: a media file over MAX_MEDIA_BYTES is 413 and names the variable', async () => {
  const service = await startService('PGlite in memory', { environment: { MAX_MEDIA_BYTES: '1000' } });
  const body = toForm({ file: Buffer.concat([jpeg.bytes, Buffer.alloc(2_000)]) });
  const answer = await service.send('/v1/media/extract', { method: 'POST', body });
  expect([answer.status, (await answer.json()).error.recovery]).toEqual([
    413,
    expect.stringContaining('MAX_MEDIA_BYTES'),
  ]);
  await service.stop();
});
