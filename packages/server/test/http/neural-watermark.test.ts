import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { toyEncoder } from '../../../../bench/support/toy-watermark.mjs';
import { namedProjectId } from '../../src/access/create-key.js';
import type { Overrides } from '../../src/compose.js';
import { stageMedia } from '../../src/records/draft/stage-media.js';
import { markPicture } from '../../src/records/matching/mark-picture.js';
import { toModelFormat, WAVE_MARK } from '../../src/search/image-mark.js';
import { createSearchPool } from '../../src/search/search-pool.js';
import { allowDetection, createMarkClient, createMediaClient, SAID } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';
import { openToyModel, writeToyModel } from '../support/toy-model.js';

const AI = { ...SAID, aiDisclosure: 'ai_generated' };
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-neural-http-'));
const model = writeToyModel(path.join(folder, 'model'));
const encoded = async (seed: number) => (await texturedPicture(seed)).png().toBuffer();
const toJpeg = (bytes: Uint8Array) => sharp(bytes).jpeg({ quality: 60 }).toBuffer();

let service: Service;
let running: Service[] = [];
const stopAll = () => Promise.all(running.splice(0).map((one) => one.stop()));
afterEach(stopAll);
afterAll(() => rmSync(folder, { recursive: true }));

async function start(environment: Record<string, string>, overrides: Overrides = {}): Promise<void> {
  const detector = { PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' };
  service = await startService(ANY_ENGINE, { environment: { ...detector, ...environment }, overrides });
  running = [service];
}

const { post, bytesOf } = createMediaClient(() => service);
const { mark, layerOf, detect } = createMarkClient(() => service, AI);
const addAnn = () => service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
const publish = async (cid: string): Promise<string> =>
  (await (await service.send('/v1/publications', jsonPost({ cid, withhold: [] }))).json()).id;
const publicationsOf = async (file: Uint8Array) =>
  (await detect(file)).layers
    .filter(({ kind }) => kind === 'watermark')
    .map((layer) => layer.publication?.id);

describe('the watermark of a model', () => {
  it('is added by POST /v1/mark, named in the soft binding, and found by the public detector', async () => {
    await start({ WATERMARK_MODEL_DIR: model });
    await addAnn();
    await allowDetection(service);
    const marked = await mark(await encoded(1));
    expect(layerOf(marked)).toEqual({ kind: 'watermark', state: 'added', method: 'com.adobe.trustmark.Q' });
    const resource = await (await service.send(`/v1/resource/${marked.cid}`)).json();
    const { watermark, manifestLabel } = resource.extensions['ext:c2pa@1.0.0'];
    expect(watermark).toEqual({
      alg: 'com.adobe.trustmark.Q',
      value: expect.stringMatching(/^1\*[01]{61}$/),
    });
    const query = new URLSearchParams(watermark);
    const { matches } = await (await service.send(`/v1/c2pa/matches/byBinding?${query}`)).json();
    expect(matches).toEqual([{ manifestId: manifestLabel, similarityScore: 100 }]);
    const algorithms = await (await service.send('/v1/c2pa/services/supportedAlgorithms')).json();
    expect(algorithms.watermarks).toEqual(
      ['com.adobe.trustmark.Q', 'colophon.image-mark.1', 'colophon.sound-mark.1'].map((alg) => ({ alg })),
    );
    const id = await publish(marked.cid);
    const copy = await bytesOf(marked.cid);
    expect((await post('extract', { file: copy })).body.validation.state).toBe('valid');
    expect(await publicationsOf(await toJpeg(copy))).toEqual([id]);
    expect(await publicationsOf(await toJpeg(await encoded(2)))).toEqual([]);
    const report = await (await service.send('/v1/compliance/report')).json();
    expect(report.marks.byLayer).toContainEqual({
      kind: 'watermark',
      state: 'added',
      method: 'com.adobe.trustmark.Q',
      count: 1,
    });
    expect(report.robustness).toContainEqual(
      expect.objectContaining({ method: 'com.adobe.trustmark.Q', figures: [] }),
    );
  });

  it('is read in addition to the watermark that the service added before it had the model', async () => {
    const directory = path.join(folder, 'data');
    await start({ DATA_DIR: directory });
    await addAnn();
    await allowDetection(service);
    const before = await mark(await encoded(10));
    expect(layerOf(before)?.method).toBe('image-mark/1');
    const earlier = { id: await publish(before.cid), copy: await toJpeg(await bytesOf(before.cid)) };
    await stopAll();
    await start({ DATA_DIR: directory, WATERMARK_MODEL_DIR: model });
    const after = await mark(await encoded(11));
    expect(layerOf(after)?.method).toBe('com.adobe.trustmark.Q');
    const later = { id: await publish(after.cid), copy: await toJpeg(await bytesOf(after.cid)) };
    for (const { id, copy } of [earlier, later]) expect(await publicationsOf(copy)).toEqual([id]);
  });

  it('has a statement in compliance reports even after the operator has removed or replaced the model', async () => {
    await start({ WATERMARK_MODEL_DIR: model });
    await addAnn();
    await mark(await encoded(30));
    const unmeasured = async () => {
      const report = await (await service.send('/v1/compliance/report')).json();
      return report.robustness
        .filter(({ measures }: { measures: string }) => measures.includes('watermark of this model'))
        .map(({ method }: { method: string }) => method);
    };
    const { matching } = service.context.records;
    expect(await unmeasured()).toEqual(['com.adobe.trustmark.Q']);
    matching.pictureMark = WAVE_MARK;
    expect(await unmeasured()).toEqual(['com.adobe.trustmark.Q']);
    matching.pictureMark = toModelFormat({ algorithm: 'org.example.mark', code: 'BCH_5' });
    expect(await unmeasured()).toEqual(['org.example.mark', 'com.adobe.trustmark.Q']);
  });

  it('504: after a model took too long, no marked copy is on the disk and no slot is occupied', async () => {
    await start({});
    const { records } = service.context;
    const slow = openToyModel(path.join(folder, 'slow'), { 'encoder_Q.onnx': toyEncoder({ rounds: 2_000 }) });
    const pool = createSearchPool({ timeoutMs: 400, maxPictureBytes: 2 ** 28, watermarkModel: slow });
    const media = await stageMedia(
      { createHasher: records.createHasher, projectId: undefined },
      Readable.from([await encoded(20)]),
    );
    try {
      const deps = { ...records, matching: { ...records.matching, pool } };
      const marking = markPicture(deps, namedProjectId('one'), { media, signal: undefined });
      await expect(marking).rejects.toMatchObject({ code: 'Timeout', status: 504 });
      expect(readdirSync(path.dirname(media.path))).toEqual([path.basename(media.path)]);
      await expect.poll(() => records.scheduler.counts().describe.running).toBe(0);
    } finally {
      await media.discard();
      await pool.close();
    }
  });

  it('is named in a warning at the start, with the value to set, if it needs over a third of the memory', async () => {
    const warnings: string[] = [];
    const overrides = {
      logger: pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line).msg) }),
    };
    const modelWarnings = () => warnings.filter((text) => text.includes('WATERMARK_MODEL_DIR'));
    await start({ WATERMARK_MODEL_DIR: model, WORKER_MEMORY_BYTES: String(300 * 2 ** 20) }, overrides);
    const needed = 3 * service.context.records.matching.modelBytes;
    expect(modelWarnings()).toEqual([
      expect.stringContaining(`set WORKER_MEMORY_BYTES to at least ${needed}.`),
    ]);
    await stopAll();
    await start({ WATERMARK_MODEL_DIR: model, WORKER_MEMORY_BYTES: String(needed) }, overrides);
    expect(modelWarnings()).toHaveLength(1);
  });

  it('stops the start if the model does not work, and the error names the file', async () => {
    const directory = writeToyModel(path.join(folder, 'broken'), { 'decoder_Q.onnx': 'no model' });
    await expect(start({ WATERMARK_MODEL_DIR: directory })).rejects.toThrow(
      /WATERMARK_MODEL_DIR names .*broken, whose model fails: decoder_Q\.onnx does not work/,
    );
  });
});
