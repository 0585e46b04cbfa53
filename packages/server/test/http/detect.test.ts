import { type Detection, type DetectionLayer, verifyDetection, verifyEd25519 } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDetectorClient, textOf } from '../support/detector-client.js';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { allowDetection, createMediaClient, mediaForm } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const files = await makeMediaFiles();
const SOON = { timeout: 30_000 };
const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg') as MediaFile;
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const NAME = 'Annabel Quillfeather';
const environment = {
  PUBLIC_DETECTOR: 'true',
  PUBLIC_DETECTOR_RPM: '100000',
  SERVER_SIGNING_KEY: SEED,
};

/** C2PA 2.2 §11.5. */
function withRemoteManifest(bytes: Uint8Array): Uint8Array {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="https://manifests.example/1.c2pa"/></rdf:RDF></x:xmpmeta>';
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([bytes.subarray(0, 2), head, content, bytes.subarray(2)]);
}

const rowsOf = ({ layers }: Detection) =>
  layers.map(({ kind, confidence, level }) => [kind, confidence, level]);

describe('the public detector', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: NAME }));
    await allowDetection(service);
  });
  afterAll(() => service.stop());

  const { embed, post, bytesOf } = createMediaClient(() => service);
  const { detect, record, publish } = createDetectorClient(() => service);

  it('reports a file without marks, and that this does not show human work', async () => {
    const { layers, checks, summary } = await detect(jpeg.bytes);
    expect(layers).toEqual([]);
    expect(checks.map(({ kind, state }) => [kind, state])).toEqual([
      ['manifest', 'checked'],
      ['fingerprint', 'checked'],
      ['log', 'checked'],
      ['watermark', 'checked'],
    ]);
    expect(summary).toMatch(/^No mark was found. This does not show that people made the content/);
  });

  it('rejects form parts other than the file', async () => {
    const body = mediaForm({ file: jpeg.bytes, json: {} });
    const answer = await fetch(`${service.base}/public/detect`, { method: 'POST', body });
    const { error } = await answer.json();
    expect([answer.status, error.recovery]).toEqual([400, 'Remove this part. Allowed parts: `file`.']);
  });

  it('names the layers that it cannot check', async () => {
    const { checks, summary } = await detect(Uint8Array.of(0, 1, 2, 3));
    expect(checks.slice(0, 2)).toMatchObject([
      {
        ...{ kind: 'manifest', state: 'unavailable', code: 'unsupported' },
        reason: expect.stringContaining('octet-stream'),
      },
      {
        ...{ kind: 'fingerprint', state: 'unavailable', code: 'unsupported' },
        reason: expect.stringContaining('octet-stream'),
      },
    ]);
    expect(summary).toContain('Not checked: manifest, fingerprint, watermark.');
  });

  it.each([
    ['a file that is too small to compare', 'one word', 'tooLittle'],
    ['a text that has too few words to compare', '?! '.repeat(100), 'tooLittle'],
    ['a damaged picture', Buffer.concat([jpeg.bytes.subarray(0, 100), Buffer.alloc(2_000)]), 'unreadable'],
  ])('states as a code why it did not compare %s', async (_, file, code) => {
    const { checks } = await detect(file);
    expect(checks[1]).toMatchObject({ kind: 'fingerprint', state: 'unavailable', code });
  });

  it.each([
    ['ai_generated', 'generated'],
    ['ai_assisted', 'assisted'],
    [null, 'human'],
  ])('describes the manifest in a file that is not published: %s', async (aiDisclosure, level) => {
    const { cid } = (await embed(jpeg.bytes, { aiDisclosure, title: `Of ${level}` })).body;
    const { layers } = await detect(await bytesOf(cid));
    expect(layers).toMatchObject([
      { kind: 'manifest', confidence: 'medium', level, disclosure: aiDisclosure, state: 'valid' },
    ]);
    expect(layers[0]?.code).toBe(`valid-${level}`);
    expect(layers[0]).toMatchObject({ signedBy: 'Colophon development', tool: 'Studio 1.0' });
  });

  it.each([
    [
      'that is damaged and has no manifest',
      () => jpeg.bytes.subarray(0, 100),
      { reason: /./, code: 'unreadable' },
    ],
    [
      'whose manifest is elsewhere',
      () => withRemoteManifest(jpeg.bytes),
      { reason: /stored elsewhere/, code: 'elsewhere' },
    ],
  ])(
    'finds no mark in a file %s, and reports that it did not check the manifest',
    async (_, bytesOfFile, { reason, code }) => {
      const { layers, checks } = await detect(bytesOfFile());
      expect(layers).toEqual([]);
      expect(checks[0]).toEqual({
        kind: 'manifest',
        state: 'unavailable',
        reason: expect.stringMatching(reason),
        code,
      });
    },
  );

  it.each<[string, (text: string) => string]>([
    ['the characters beyond U+FFFF', (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')],
    ['the first 100 selectors', (text) => text.replace(/(?<=\ufeff).{100}/u, '')],
    ['the first half of the selectors', (text) => text.replace(/\ufeff.{1300}/u, '')],
  ])('reports a text that lost %s as altered, as the verification does', async (_, damage) => {
    const { cid } = (await embed(Buffer.from('A short note.'))).body;
    const damaged = Buffer.from(damage((await bytesOf(cid)).toString()));
    const { body } = await post('verify', { file: damaged });
    expect(body).toMatchObject({ hasManifest: true, validation: { state: 'invalid' } });
    expect(body.validation.codes[0].code).toBe('manifest.text.corruptedWrapper');
    const { layers } = await detect(damaged);
    expect(layers).toMatchObject([{ kind: 'manifest', confidence: 'low', state: 'invalid' }]);
  });

  it('describes a manifest of a changed file with low confidence', async () => {
    const { cid } = (await embed(jpeg.bytes, { aiDisclosure: 'ai_generated', title: 'Changed' })).body;
    const bytes = await bytesOf(cid);
    bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 0xff;
    const [layer] = (await detect(bytes)).layers as [DetectionLayer];
    expect([layer.state, layer.confidence]).toEqual(['invalid', 'low']);
    expect(layer.meaning).toContain('proves nothing about the file');
    expect(layer.says).toMatch(/^Do not rely on this file/);
  });

  it('finds recorded content only while a publication of it is live', async () => {
    const text = textOf('only while live');
    const cid = await record(text, { type: 'generate' });
    const altered = text.replace('heron', 'egret');
    await expect
      .poll(async () => (await (await service.send(`/v1/similar/${cid}`)).json()).verdict, SOON)
      .toBe('no-match');
    expect(rowsOf(await detect(text))).toEqual([]);
    const id = await publish(cid, { title: 'The heron' });
    await expect
      .poll(async () => rowsOf(await detect(text)), SOON)
      .toEqual([
        ['log', 'high', 'generated'],
        ['fingerprint', 'medium', 'generated'],
      ]);
    const found = await detect(altered);
    expect(rowsOf(found)).toEqual([['fingerprint', 'medium', 'generated']]);
    const { facts } = await (await fetch(`${service.base}/app/api/public/${id}/summary`)).json();
    expect(found.layers[0]).toMatchObject({
      code: 'similar-generated',
      disclosure: 'ai_generated',
      publication: { id, path: `/app/p/${id}`, title: 'The heron' },
      makers: [{ role: 'human', name: NAME }],
      recordedAt: facts.recordedAt,
      meaning: expect.stringMatching(/^The fingerprints match\. They do not show/),
    });
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
    expect(rowsOf(await detect(text))).toEqual([]);
    expect(rowsOf(await detect(altered))).toEqual([]);
  });

  it('finds no publication of an empty file, and reports that it did not compare the bytes', async () => {
    await publish(await record(''));
    const { layers, checks } = await detect('');
    expect(layers).toEqual([]);
    expect(checks[2]).toMatchObject({ kind: 'log', state: 'unavailable', code: 'tooLittle' });
  });

  it('distinguishes human work from content without a statement', async () => {
    const { cid } = (await embed(jpeg.bytes, { aiDisclosure: null, title: 'By hand' })).body;
    await publish(cid);
    const log = (await detect(await bytesOf(cid))).layers.find(({ kind }) => kind === 'log');
    expect(log).toMatchObject({ level: 'human', disclosure: null });
    const plain = textOf('nothing is stated');
    await publish(await record(plain));
    const [unstated] = (await detect(plain)).layers;
    expect(unstated?.level).toBe('unstated');
    expect(unstated).not.toHaveProperty('disclosure');
  });

  it.each([
    ['generate', 'states: the content was generated with AI', 'same-generated'],
    ['create', 'withholds whether AI took part', 'same-withheld'],
  ])(
    'shows nothing that a publication of the action %s withholds, and no score',
    async (type, says, code) => {
      const text = textOf(`withheld from all: ${type}`);
      const action = { type, aiTool: { provider: 'Acme', model: 'secretpainter' } };
      await publish(await record(text, action), { withhold: ['names', 'tools'], hiddenEntities: 'all' });
      const found = await detect(text);
      expect(found.layers[0]).toMatchObject({ kind: 'log', code, says: expect.stringContaining(says) });
      expect(found.layers[0]?.makers).toEqual([{ role: 'human' }]);
      const answer = JSON.stringify(found);
      for (const word of [NAME, 'studio:ann', 'secretpainter', 'score']) expect(answer).not.toContain(word);
    },
  );

  it('signs its report, and a changed report does not verify', async () => {
    const { report, ...facts } = await detect(jpeg.bytes);
    const trusted = { publicKey: Buffer.from(PUBLIC_KEY, 'hex'), verify: verifyEd25519 };
    expect(verifyDetection(report, trusted)).toEqual({ verified: true, facts });
    const payload = Buffer.from(JSON.stringify({ ...facts, summary: 'Made by people.' })).toString('base64');
    expect(verifyDetection({ ...report, payload }, trusted)).toEqual({
      verified: false,
      reason: 'badSignature',
    });
    const other = { ...trusted, publicKey: new Uint8Array(32) };
    expect(verifyDetection(report, other)).toEqual({ verified: false, reason: 'untrustedKey' });
  });

  it.each([
    ['media', () => jpeg.bytes],
    ['history', () => textOf('a history in the background')],
  ] as const)('waits until no project waits for a slot of the kind %s', async (kind, fileOf) => {
    if (kind === 'history') await publish(await record(textOf('a history in the background')));
    const { scheduler } = service.context.records;
    const release: (() => void)[] = [];
    const hold = (projectId: string) => {
      let isRunning = false;
      const ended = scheduler.run({ projectId, kind }, () => {
        isRunning = true;
        return new Promise<void>((resolve) => release.push(resolve));
      });
      return { ended, isRunning: () => isRunning };
    };
    const places = service.context.config.work.places[kind];
    const fillers = Array.from({ length: places }, (_, index) => hold(`filler ${index}`));
    await expect.poll(() => scheduler.counts()[kind].running, SOON).toBe(places);
    const detection = detect(fileOf());
    await expect.poll(() => scheduler.counts()[kind].waiting, SOON).toBe(1);
    const later = hold('a project that comes later');
    release.shift()?.();
    await expect.poll(later.isRunning, SOON).toBe(true);
    expect(scheduler.counts()[kind].waiting).toBe(1);
    for (const end of release) end();
    expect((await detection).checks[0]?.state).toBe('checked');
    await Promise.all([...fillers, later].map(({ ended }) => ended));
  });

  it('counts its findings in the metrics', async () => {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    expect(text).toMatch(/colophon_detections_total\{layer="manifest",confidence="medium"\} [1-9]/);
    expect(text).toMatch(/colophon_detections_total\{layer="none",confidence="none"\} [1-9]/);
  });
});
