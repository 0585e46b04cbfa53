import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { flipContent, type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { createMediaClient } from '../support/media-form.js';
import { ourCid } from '../support/pinning-servers.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const REFERENCES = { entity: { id: 'studio:ann', role: 'human' }, action: { type: 'reference' } };
const files = await makeMediaFiles();
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;

// Leftover files are visible in a directory of this run.
const received = mkdtempSync(path.join(tmpdir(), 'colophon-test-'));
vi.stubEnv('TMPDIR', received);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(received, { recursive: true });
});

describe('media', () => {
  let service: Service;
  let desk: MediaDesk;
  beforeAll(async () => {
    desk = await openMediaDesk();
    service = await startService(ANY_ENGINE);
    for (const entity of [
      { id: 'studio:ann', role: 'human', name: 'Ann' },
      { id: 'studio:painter', role: 'ai' },
    ])
      await service.send('/v1/entity', jsonPost(entity));
  });
  afterAll(async () => {
    await desk.close();
    await service.stop();
  });

  const { post, embed, bytesOf } = createMediaClient(() => service);

  describe('extract', () => {
    it('a file without a manifest: the manifest, AI detection, validation and bundle are null', async () => {
      const { status, body } = await post('extract', { file: jpeg.bytes });
      expect([status, body]).toMatchObject([
        200,
        { manifest: null, aiDetection: null, validation: null, bundle: null, mimeType: 'image/jpeg' },
      ]);
      expect(body).not.toHaveProperty('unverifiedManifest');
    });

    it('a signed file: returns its claims, its performers and its records', async () => {
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
      '%s, signed and altered: is invalid, and its claims are returned as unverified only',
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

    it('nothing is recorded or stored, and no file is left on the disk', async () => {
      const left = () => readdirSync(received).filter((name) => name.startsWith('colophon-media-'));
      const there = left();
      const before = await (await service.send('/v1/actions')).text();
      await post('extract', { file: files[1]?.bytes as Buffer });
      await post('verify', { file: files[1]?.bytes as Buffer });
      expect(await (await service.send('/v1/actions')).text()).toBe(before);
      const cid = ourCid(files[1]?.bytes as Buffer);
      expect((await service.send(`/v1/resource/${cid}/content`)).status).toBe(404);
      expect(left()).toEqual(there);
    });

    it.each([
      ['no media at all', Buffer.from([0x00, 0xff, 0x01, 0xfe]), 415],
      ['an empty file', Buffer.alloc(0), 415],
    ])('%s: is rejected', async (_, file, status) => {
      const { body, status: answered } = await post('extract', { file });
      expect([answered, body.error.code]).toEqual([status, 'Unsupported']);
    });
  });

  describe('settings of a project', () => {
    const manage = async (path: string, method: string, body: object) =>
      (await service.manage('ann', path, { method, body })).json();

    it('apply to signing and trust of this project, and of no other', async () => {
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

    it('aiTrainingOptOut is written into signed files, unless the request states otherwise', async () => {
      const { id } = await manage('/projects', 'POST', {
        orgSlug: 'planet',
        name: 'Reserved',
        aiTrainingOptOut: true,
      });
      const { key } = await manage('/api-keys', 'POST', { projectId: id, name: 'key', permissions: 'write' });
      const headers = { authorization: `Bearer ${key}` };
      await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }, headers));
      const signed = async (json: object) => {
        const { body } = await embed(jpeg.bytes, json, headers);
        const answer = await service.send(body.contentUrl, { headers });
        return Buffer.from(await answer.arrayBuffer()).toString('latin1');
      };
      expect(await signed({})).toMatch(/cawg\.training-mining[\s\S]*notAllowed/);
      expect(await signed({ trainingMining: { aiTraining: { use: 'allowed' } } })).not.toContain(
        'notAllowed',
      );
    });

    it('that cannot sign are rejected when they are set', async () => {
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
    it('records the claims of a valid file once, even if a caller imports it twice', async () => {
      const first = (await embed(jpeg.bytes, { title: 'Imported 1' })).body;
      const second = (
        await embed(await bytesOf(first.cid), { title: 'Imported 2', aiDisclosure: 'ai_assisted' })
      ).body;
      const headers = { authorization: `Bearer ${OTHER_KEY}` };
      const file = await bytesOf(second.cid);
      const imported = await post('import', { file }, headers);
      expect([imported.status, imported.body.cid]).toEqual([201, second.cid]);
      // An import sets no creator, but the list names the performers as makers.
      const [performer = ''] = imported.body.entityIds as string[];
      const made = await service.send(`/v1/resources?maker=${encodeURIComponent(performer)}`, { headers });
      const [listed] = (await made.json()).resources;
      expect(listed.createdBy ?? null).toBeNull();
      expect(listed.makers.map(({ id }: { id: string }) => id)).toContain(performer);
      const [, place = ''] = /^<([^>]+)>; rel="receipt"$/.exec(imported.link ?? '') ?? [];
      const receipt = await (await service.send(place, { headers })).json();
      expect(receipt.record.body.outputCids).toEqual([second.cid]);
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

    it('checks and writes the records in the queue of batches, and holds no other slot meanwhile', async () => {
      const { recorder, scheduler } = service.context.records;
      const write = recorder.recordTogether;
      const seen: unknown[] = [];
      const spy = vi.spyOn(recorder, 'recordTogether').mockImplementation((projectId, batch) => {
        const { batch: slot, media, search } = scheduler.counts();
        seen.push([batch.isTrial, slot.running, media.running + search.running]);
        return write(projectId, batch);
      });
      const { signed } = await desk.sign(jpeg.bytes, 'image/jpeg', { definition: define() });
      const { status } = await post('import', { file: signed });
      spy.mockRestore();
      expect([status, seen]).toEqual([
        201,
        [
          [true, 1, 0],
          [false, 1, 0],
        ],
      ]);
    });

    it('413: more actions than the database may write one by one; nothing is checked or stored', async () => {
      const { records } = service.context;
      const spy = vi.spyOn(records.recorder, 'recordTogether');
      records.maxSerialActions = 0;
      try {
        const { signed } = await desk.sign(jpeg.bytes, 'image/jpeg', { definition: define() });
        const { status, body } = await post('import', { file: signed });
        expect([status, body.error.details]).toMatchObject([413, { maxActions: 0 }]);
        expect(spy).not.toHaveBeenCalled();
        records.maxSerialActions = undefined;
        expect((await post('import', { file: signed })).status).toBe(201);
        records.maxSerialActions = 0;
        // The actions of a repeated import are recorded already.
        expect((await post('import', { file: signed })).status).toBe(201);
      } finally {
        records.maxSerialActions = undefined;
        spy.mockRestore();
      }
    });

    it('a file that names content of somebody else does not change the history of that content', async () => {
      const recorded = await service.upload('somebody else’s', { ...REFERENCES, resourceType: 'image' });
      const { cid } = await recorded.json();
      const before = await (await service.send(`/v1/bundle/${cid}`)).text();
      const first = await desk.sign(jpeg.bytes, 'image/jpeg', { definition: define() });
      const said = { version: 1, aiDisclosure: null, metadata: { inputCid: cid } };
      const assertions = [{ label: 'org.colophon.provenance', kind: 'Json', data: said }];
      const forged = await desk.sign(first.signed, 'image/jpeg', {
        definition: { ...define(), assertions },
      });
      expect((await post('import', { file: forged.signed })).status).toBe(201);
      expect(await (await service.send(`/v1/bundle/${cid}`)).text()).toBe(before);
    });

    it('an already recorded file gets its credentials, and keeps its state and creator', async () => {
      const { signed } = await desk.sign(jpeg.bytes, 'image/jpeg', { definition: define() });
      const { cid } = await (await service.upload(signed, REFERENCES)).json();
      expect((await post('import', { file: signed })).status).toBe(201);
      const resource = await (await service.send(`/v1/resource/${cid}`)).json();
      expect(resource).toMatchObject({
        state: 'referenced',
        extensions: { 'ext:c2pa@1.0.0': { validSignature: true } },
      });
      expect(resource).not.toHaveProperty('createdBy');
    });

    it('a file that this project signed is already recorded, and gets no second action', async () => {
      const made = (await embed(jpeg.bytes, { title: 'Own' })).body;
      const { status, body } = await post('import', { file: await bytesOf(made.cid) });
      expect([status, body.actionIds, body.entityIds]).toEqual([201, [made.actionId], ['studio:ann']]);
      expect((await (await service.send(`/v1/bundle/${made.cid}`)).json()).actions).toHaveLength(1);
    });

    it('a file without actions is recorded with one action', async () => {
      const { signed } = await desk.sign(jpeg.bytes, 'image/jpeg', {
        definition: { claim_generator_info: [{ name: 'Quiet' }], claim_version: 1, assertions: [] },
      });
      const { status, body } = await post('import', { file: signed });
      expect([status, body.actionIds.length]).toEqual([201, 1]);
      expect((await service.send(body.contentUrl)).status).toBe(200);
    });

    it('a rejected import leaves nothing behind', async () => {
      const first = await desk.sign(jpeg.bytes, 'image/jpeg', { definition: define() });
      const { signed } = await desk.sign(first.signed, 'image/jpeg', {
        definition: { ...define(), assertions: [] },
      });
      const { body: said } = await post('extract', { file: signed });
      const [
        {
          outputCids: [older],
        },
      ] = said.bundle.actions;
      await service.send(
        '/v1/action',
        jsonPost({ performedBy: 'studio:ann', inputCids: [said.cid], outputCids: [older] }),
      );
      const before = await (await service.send('/v1/actions')).text();
      const { status } = await post('import', { file: signed });
      expect(status).toBe(422);
      expect(await (await service.send('/v1/actions')).text()).toBe(before);
      expect((await service.send(`/v1/resource/${said.cid}/content`)).status).toBe(404);
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
