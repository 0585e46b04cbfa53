import { createHash } from 'node:crypto';
import { createClient } from '@colophon/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALTERATIONS, makePicture } from '../../../../bench/support/pictures.mjs';
import { namedProjectId } from '../../src/access/create-key.js';
import { toImageBinding } from '../../src/records/matching/soft-binding.js';
import { describeImage } from '../../src/search/worker/describe-image.js';
import { define } from '../support/manifests.js';
import { openMediaDesk } from '../support/media-desk.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';

const AS_TWO = { authorization: `Bearer ${OTHER_KEY}` };
const AI = { ...SAID, aiDisclosure: 'ai_generated' };
const SOON = { timeout: 30_000 };
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

describe('the public Soft Binding Resolution API', () => {
  let service: Service;
  let signed: Buffer;
  let cid: string;
  let label: string;
  const { embed, bytesOf, post } = createMediaClient(() => service);
  const { mark } = createMarkClient(() => service, AI);

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${service.base}/public/c2pa/${path}`, init);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const byContent = (body: Uint8Array) =>
    ask('matches/byContent', {
      method: 'POST',
      body: body as BodyInit,
      headers: { 'content-type': 'image/png' },
    });
  const byBinding = async (alg: string, value: string) =>
    (await ask('matches/byBinding', jsonPost({ alg, value }))).body;
  const manifestOf = (id: string, query = '') =>
    fetch(`${service.base}/public/c2pa/manifests/${encodeURIComponent(id)}${query}`);
  const publish = async (of: string, more: object = { withhold: [], titles: true }, headers = {}) =>
    (await (await service.send('/v1/publications', jsonPost({ cid: of, ...more }, headers))).json()).id;
  const revoke = (id: string) => service.send(`/v1/publications/${id}`, { method: 'DELETE' });

  beforeAll(async () => {
    const environment = {
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000', MATCH_WAIT_MS: '10000' },
    };
    service = await startService(ANY_ENGINE, { environment });
    for (const headers of [{}, AS_TWO])
      await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }, headers));
    await allowDetection(service);
    const made = await embed(await makePicture(0), {});
    ({ cid } = made.body);
    label = made.body.manifest.label;
    signed = await bytesOf(cid);
  });
  afterAll(() => service.stop());

  it('leads from a file, a crop, a digest and a descriptor to the manifest store, without a key', async () => {
    const id = await publish(cid);
    const cropped = (await ALTERATIONS['crop 10 %']?.(signed)) ?? Buffer.alloc(0);
    const description = await describeImage(cropped);
    if (description.kind === 'nothing') throw new Error(description.reason);
    const same = { matches: [{ manifestId: label, similarityScore: 100 }] };
    const altered = { matches: [{ manifestId: label, similarityScore: 80 }] };
    expect((await byContent(signed)).body).toEqual(same);
    await expect.poll(async () => (await byContent(cropped)).body, SOON).toEqual(altered);
    expect(await byBinding('colophon.sha256', sha256Of(signed))).toEqual(same);
    expect(await byBinding('colophon.image-512.1', toImageBinding(description.described))).toEqual(altered);
    const query = new URLSearchParams({ alg: 'colophon.sha256', value: sha256Of(signed) });
    expect((await ask(`matches/byBinding?${query}`)).body).toEqual(same);
    const answer = await manifestOf(label);
    const store = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), signed.includes(store)]).toEqual(['application/c2pa', true]);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=30');
    const active = await (await manifestOf(label, '?returnActiveManifest=true')).arrayBuffer();
    expect(store.includes(Buffer.from(active))).toBe(true);
    await revoke(id);
  });

  it('leads from a watermark that the service issued to the manifest of the marked picture only', async () => {
    const png = await (await texturedPicture(1)).png().toBuffer();
    const marked = await mark(png);
    const copy = await bytesOf(marked.cid);
    const resource = await (await service.send(`/v1/resource/${marked.cid}`)).json();
    const { watermark, manifestLabel } = resource.extensions['ext:c2pa@1.0.0'];
    // The imported manifest claims the same watermark.
    expect((await post('import', { file: copy }, AS_TWO)).status).toBe(201);
    await allowDetection(service, 'two');
    await publish(marked.cid, { withhold: [], titles: true }, AS_TWO);
    const unpadded = watermark.value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    for (const value of [watermark.value, unpadded])
      expect(await byBinding(watermark.alg, value)).toEqual({ matches: [] });
    const id = await publish(marked.cid);
    const found = { matches: [{ manifestId: manifestLabel, similarityScore: 100 }] };
    for (const value of [watermark.value, unpadded])
      expect(await byBinding(watermark.alg, value)).toEqual(found);
    await revoke(id);
  });

  it('leads from a soft binding in an imported manifest to this manifest', async () => {
    const desk = await openMediaDesk();
    const plain = define();
    const binding = { alg: 'com.example.watermark', blocks: [{ scope: {}, value: 'a+/Y=' }] };
    const assertions = [...(plain.assertions as object[]), { label: 'c2pa.soft-binding', data: binding }];
    const { signed: file } = await desk.sign(await makePicture(8), 'image/png', {
      definition: { ...plain, assertions },
    });
    await desk.close();
    const imported = await post('import', { file });
    expect(await byBinding('com.example.watermark', 'a+/Y=')).toEqual({ matches: [] });
    const id = await publish(imported.body.cid);
    const { matches } = await byBinding('com.example.watermark', 'a-_Y');
    expect(matches).toEqual([{ manifestId: expect.stringContaining('c2pa'), similarityScore: 100 }]);
    const store = Buffer.from(await (await manifestOf(matches[0].manifestId)).arrayBuffer());
    expect(file.includes(store)).toBe(true);
    await revoke(id);
  });

  it('finds content only with `publicDetector` and a live publication that withholds and hides nothing', async () => {
    const absent = await (await manifestOf('urn:c2pa:none')).json();
    const isKnown = async () => {
      const [answer, bound] = [await manifestOf(label), await byBinding('colophon.sha256', sha256Of(signed))];
      if (answer.status === 200) {
        await answer.arrayBuffer();
        return bound.matches.length === 1 && (await byContent(signed)).body.matches.length === 1;
      }
      const { error } = await answer.json();
      expect(error.message.replace(label, 'urn:c2pa:none')).toBe(absent.error.message);
      expect([bound.matches, (await byContent(signed)).body.matches]).toEqual([[], []]);
      return false;
    };
    expect(await isKnown()).toBe(false);
    const usual = await publish(cid, {});
    const hidden = await publish(cid, { withhold: [], titles: true, hiddenEntities: 'all' });
    expect(await isKnown()).toBe(false);
    const open = await publish(cid);
    expect(await isKnown()).toBe(true);
    const { control } = service.context.databases;
    const allow = (isAllowed: boolean) =>
      control.query('update control.project set public_detector = $2 where id = $1', [
        namedProjectId('one'),
        isAllowed,
      ]);
    await allow(false);
    expect(await isKnown()).toBe(false);
    await allow(true);
    expect(await isKnown()).toBe(true);
    for (const id of [open, usual, hidden]) await revoke(id);
    expect(await isKnown()).toBe(false);
  });

  it('can be used with an SDK client without a key', async () => {
    const { softBindings } = createClient({ url: service.base });
    expect(await softBindings.find({ alg: 'com.example.none', value: 'AAAA' })).toEqual({ matches: [] });
  });

  it('rejects invalid bindings, and files that it cannot compare', async () => {
    const { status, body } = await ask(
      'matches/byBinding',
      jsonPost({ alg: 'colophon.sha256', value: 'AA' }),
    );
    expect([status, body.error.code]).toEqual([400, 'InvalidField']);
    expect((await byContent(new Uint8Array(500))).status).toBe(415);
    expect((await ask('services/supportedAlgorithms')).body.watermarks).toContainEqual({
      alg: 'colophon.image-mark.1',
    });
  });
});

describe('the limits of the public Soft Binding Resolution API', () => {
  const ask = (service: Service, path: string, init: RequestInit = {}) =>
    fetch(`${service.base}/public/c2pa/${path}`, init);
  const query = `matches/byBinding?${new URLSearchParams({ alg: 'com.example.none', value: 'AAAA' })}`;
  const asset = (sizeBytes: number): RequestInit => ({
    method: 'POST',
    body: 'x'.repeat(sizeBytes),
    headers: { 'content-type': 'text/plain' },
  });

  it('are those of the detector: requests of an address in a minute, and bytes of a file', async () => {
    const environment = {
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '3', PUBLIC_DETECTOR_BYTES: '2048' },
    };
    const service = await startService(ANY_ENGINE, { environment });
    const large = await ask(service, 'matches/byContent', asset(2049));
    expect([large.status, (await large.json()).error.recovery]).toEqual([
      413,
      expect.stringContaining('PUBLIC_DETECTOR_BYTES'),
    ]);
    expect((await ask(service, query)).status).toBe(200);
    expect((await ask(service, 'manifests/urn:c2pa:none')).status).toBe(404);
    const { status, headers } = await ask(service, query);
    expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const body = new FormData();
    body.set('file', new Blob(['x']), 'x');
    expect((await fetch(`${service.base}/public/detect`, { method: 'POST', body })).status).toBe(429);
    await service.stop();
  });

  it('a service without PUBLIC_DETECTOR has none of these routes', async () => {
    const service = await startService(ANY_ENGINE);
    for (const [path, init] of [
      [query, {}],
      ['matches/byContent', asset(10)],
      ['matches/byBinding', jsonPost({ alg: 'a', value: 'AAAA' })],
      ['manifests/urn:c2pa:none', {}],
      ['services/supportedAlgorithms', {}],
    ] as const) {
      const answer = await ask(service, path, init);
      const { error } = await answer.json();
      expect([path, answer.status, error.recovery]).toEqual([
        path,
        404,
        expect.stringContaining('PUBLIC_DETECTOR=true'),
      ]);
    }
    await service.stop();
  });
});
