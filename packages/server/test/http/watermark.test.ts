import { Readable } from 'node:stream';
import { detectImageMark, embedImageMark } from '@colophon/model/watermark';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { stageMedia } from '../../src/records/draft/stage-media.js';
import { markPicture } from '../../src/records/matching/mark-picture.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';
import { rasterOf, toPng, transplantMark } from '../support/transplant-mark.js';

const SOON = { timeout: 30_000 };
const AI = { ...SAID, aiDisclosure: 'ai_generated' };
const environment = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' };
const encoded = async (seed: number) => (await texturedPicture(seed)).png().toBuffer();
const plain = await encoded(1);

describe('watermarks', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { post, bytesOf } = createMediaClient(() => service);
  const { mark, layerOf, detect } = createMarkClient(() => service, AI);
  const found = async (file: Uint8Array) =>
    (await detect(file)).layers.filter(({ kind }) => kind === 'watermark');
  const publish = async (cid: string, more = {}): Promise<string> =>
    (await (await service.send('/v1/publications', jsonPost({ cid, withhold: [], ...more }))).json()).id;

  it('are added before the file is signed, and the manifest contains the soft binding', async () => {
    const marked = await mark(plain);
    expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'image-mark/1' });
    const copy = await bytesOf(marked.cid);
    const payload = detectImageMark(await rasterOf(copy))?.payload ?? -1n;
    const value = Buffer.from(payload.toString(16).padStart(12, '0'), 'hex').toString('base64');
    const { validation, manifest } = (await post('extract', { file: copy })).body;
    expect(validation.state).toBe('valid');
    expect(manifest.actions.map(({ action }: { action: string }) => action)).toEqual([
      'c2pa.created',
      'c2pa.watermarked.bound',
    ]);
    const resource = await (await service.send(`/v1/resource/${marked.cid}`)).json();
    expect(resource.extensions['ext:c2pa@1.0.0'].watermark).toEqual({ alg: 'colophon.image-mark.1', value });
    const query = new URLSearchParams({ alg: 'colophon.image-mark.1', value });
    const { matches } = await (await service.send(`/v1/c2pa/matches/byBinding?${query}`)).json();
    expect(matches).toEqual([
      { manifestId: resource.extensions['ext:c2pa@1.0.0'].manifestLabel, similarityScore: 100 },
    ]);
    expect(await (await service.send('/v1/c2pa/services/supportedAlgorithms')).json()).toMatchObject({
      watermarks: [{ alg: 'colophon.image-mark.1' }, { alg: 'colophon.sound-mark.1' }],
    });
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['AVIF', (picture) => picture.avif({ effort: 0 })],
    ['TIFF', (picture) => picture.tiff({ compression: 'lzw' })],
  ])('are added to %s, and the signed copy is valid', async (name, encode) => {
    const marked = await mark(await encode(await texturedPicture(name.length + 60)).toBuffer());
    expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'image-mark/1' });
    const copy = await bytesOf(marked.cid);
    expect((await post('verify', { file: copy })).body.validation.state).toBe('valid');
    expect(detectImageMark(await rasterOf(copy))).toBeDefined();
  });

  it.each<[string, (picture: Sharp) => Sharp]>([
    ['JPEG q50', (picture) => picture.jpeg({ quality: 50 })],
    ['half of the size', (picture) => picture.resize(240).jpeg()],
    ['a crop', (picture) => picture.extract({ left: 40, top: 30, width: 380, height: 290 }).webp()],
  ])('after %s, the public detector still finds the published history', async (name, alter) => {
    const { cid } = await mark(await encoded(name.length), { ...AI, title: name });
    const id = await publish(cid, { title: name });
    const altered = await alter(sharp(await bytesOf(cid))).toBuffer();
    await expect
      .poll(async () => (await found(altered)).map((layer) => layer.publication?.id), SOON)
      .toEqual([id]);
    const [layer] = await found(altered);
    expect(layer).toMatchObject({ level: 'generated', disclosure: 'ai_generated' });
    const { facts } = await (await fetch(`${service.base}/app/api/public/${id}`)).json();
    expect(facts.makers).toMatchObject([{ name: 'Ann' }]);
  });

  it('have low confidence if they are copied, and medium confidence if another layer agrees', async () => {
    const file = await encoded(20);
    const { cid } = await mark(file, { ...AI, title: 'Source' });
    const copy = await bytesOf(cid);
    await publish(cid);
    const other = (await texturedPicture(21)).flop();
    const forged = await detect(await transplantMark({ unmarked: file, marked: copy }, other));
    expect(forged.layers).toMatchObject([{ kind: 'watermark', confidence: 'low', level: 'generated' }]);
    expect(forged.layers[0]?.says).toMatch(/points to published content.*proves no origin/);
    expect(forged.summary).toContain('Confidence: low');
    const genuine = async () => (await found(await sharp(copy).jpeg().toBuffer()))[0];
    await expect.poll(async () => (await genuine())?.confidence, SOON).toBe('medium');
    expect((await genuine())?.says).toContain('and so does the fingerprint of the file.');
    const exact = (await detect(copy)).layers;
    const saysOf = (kind: string) => exact.find((layer) => layer.kind === kind)?.says;
    expect(saysOf('watermark')).toContain('and so does the log, which has exactly the bytes of the file.');
    expect(saysOf('fingerprint')).toMatch(/^The fingerprint of the file leads to published content/);
  });

  it('are not found without a live publication, or with a payload that the service did not issue', async () => {
    const { cid } = await mark(await encoded(30), { ...AI, title: 'Private' });
    const altered = await sharp(await bytesOf(cid))
      .jpeg({ quality: 60 })
      .toBuffer();
    expect((await detect(altered)).layers).toEqual([]);
    const id = await publish(cid);
    expect(await found(altered)).toHaveLength(1);
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
    const { layers, checks } = await detect(altered);
    expect([layers, checks.at(-1)]).toEqual([[], { kind: 'watermark', state: 'checked' }]);
    const own = await rasterOf(await encoded(31));
    expect(await found(await toPng({ ...own, data: Buffer.from(embedImageMark(own, 99n)) }))).toEqual([]);
  });

  it('a payload does not lead to an imported file whose manifest only claims this payload', async () => {
    const { cid } = await mark(await encoded(40), { ...AI, title: 'Original' });
    const copy = await bytesOf(cid);
    const other = { headers: { authorization: `Bearer ${OTHER_KEY}` } };
    const imported = await post('import', { file: copy }, other.headers);
    expect(imported.status).toBe(201);
    await allowDetection(service, 'two');
    const body = jsonPost({ cid: imported.body.cid, withhold: [] });
    const answer = await service.send('/v1/publications', {
      ...body,
      headers: { ...body.headers, ...other.headers },
    });
    expect(answer.status).toBe(201);
    expect(await found(await sharp(copy).jpeg().toBuffer())).toEqual([]);
  });

  it.each<[string, object, () => Promise<Uint8Array>, RegExp]>([
    ['the request turns it off', { watermark: false }, () => encoded(50), /turns the watermark off/],
    ['people made the picture', { aiDisclosure: null }, () => encoded(51), /only with `watermark: true`/],
    [
      'the picture is too small',
      {},
      async () => (await texturedPicture(52, 100, 100)).png().toBuffer(),
      /100 x 100 pixels is too small/,
    ],
    [
      'the picture has an unsupported format',
      {},
      async () => (await texturedPicture(53)).gif().toBuffer(),
      /image\/gif/,
    ],
  ])(
    'are not added because %s: the answer states the reason, and the pixels stay unchanged',
    async (_, said, make, reason) => {
      const file = await make();
      const marked = await mark(file, { ...AI, ...said });
      expect(layerOf(marked)).toEqual({
        kind: 'watermark',
        state: 'unavailable',
        reason: expect.stringMatching(reason),
      });
      const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
      expect((await pixels(await bytesOf(marked.cid))).equals(await pixels(file))).toBe(true);
    },
  );

  it('are added to human work on request, and an earlier manifest of the file becomes the parent', async () => {
    const first = await mark(await encoded(60), { ...AI, title: 'First' });
    const said = { ...SAID, watermark: true, title: 'Second' };
    const second = await mark(await bytesOf(first.cid), said);
    expect(layerOf(second)?.state).toBe('added');
    expect(second.manifest?.ingredients).toMatchObject([
      { relationship: 'parentOf', manifest: { title: 'First' } },
    ]);
    expect(second.validation?.state).toBe('valid');
  });

  it('a repeated request returns the same content, with the same state of its watermark layer', async () => {
    const file = await encoded(70);
    const json = { ...AI, actionId: '0198c0de-0000-7000-8000-0000000000a1' };
    const [first, again] = [await mark(file, json), await mark(file, json)];
    expect([again.cid, layerOf(again)]).toEqual([first.cid, layerOf(first)]);
    const unmarked = { ...json, watermark: false, actionId: '0198c0de-0000-7000-8000-0000000000a2' };
    expect(layerOf(await mark(file, unmarked))).toEqual(layerOf(await mark(file, unmarked)));
  });

  it('are no longer computed after the caller leaves', async () => {
    const { records } = service.context;
    const file = await (await texturedPicture(80, 2400, 1600)).jpeg().toBuffer();
    const media = await stageMedia(
      { createHasher: records.createHasher, projectId: undefined },
      Readable.from([file]),
    );
    const leaving = new AbortController();
    const marking = markPicture(records, namedProjectId('one'), { media, signal: leaving.signal });
    const rejected = expect(marking).rejects.toThrow('the caller left');
    await expect.poll(() => records.scheduler.counts().describe.running, SOON).toBe(1);
    leaving.abort(new Error('the caller left'));
    await rejected;
    await expect.poll(() => records.scheduler.counts().describe.running, SOON).toBe(0);
    await media.discard();
  });

  it('have a different payload for each content', async () => {
    const rows = await service.context.databases.provenance.query<{ value: string }>(
      `select r.extensions->'ext:c2pa@1.0.0'->'watermark'->>'value' as value from provenance.resource r
       where r.extensions->'ext:c2pa@1.0.0' ? 'watermark'`,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map(({ value }) => value)).size).toBe(rows.length);
  });
});
