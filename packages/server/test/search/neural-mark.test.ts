import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { brokenDecoder, foreignDecoder, toyEncoder } from '../../../../bench/support/toy-watermark.mjs';
import { ConfigError, readConfig } from '../../src/config.js';
import { type NeuralModel, readNeuralModel } from '../../src/search/neural/neural-model.js';
import { createSearchPool } from '../../src/search/search-pool.js';
import { createNeuralMark } from '../../src/search/worker/neural-mark.js';
import { tryNeuralMark } from '../../src/search/worker/try-neural-mark.js';
import { texturedPicture } from '../support/textured-picture.js';
import { type ModelFiles, openToyModel, writeToyModel } from '../support/toy-model.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-neural-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const place = () => path.join(folder, String(count++));

const PAYLOAD = 0x0123_4567_89ab_cdefn;
const PLACE = { signal: new AbortController().signal, hold: () => {} };

async function rasterOf(seed: number, width?: number, height?: number) {
  const picture = await texturedPicture(seed, width, height);
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3 as const, data };
}

const bindingOf = (payload: bigint) => ({
  alg: 'com.adobe.trustmark.Q',
  value: `1*${payload.toString(2).padStart(61, '0')}`,
});

describe('the watermark of a model', () => {
  it.each([
    ['a picture', 480, 360],
    ['a large picture', 2400, 1600],
    ['a tall picture', 200, 390],
  ])('the encoder embeds it in %s, and the decoder reads it', async (_, width, height) => {
    const { embed, detect } = createNeuralMark(openToyModel(place()));
    const picture = await rasterOf(width, width, height);
    const marked = { ...picture, data: await embed(picture, PAYLOAD) };
    expect(await detect(marked)).toEqual(bindingOf(PAYLOAD));
    expect(await detect(picture)).toBeUndefined();
    const changes = marked.data.map((value, at) => Math.abs(value - (picture.data[at] ?? 0)));
    expect(Math.max(...changes.subarray(0, 100_000))).toBeLessThan(30);
  });

  it('changes only the middle square of a picture that is more than twice as long as wide', async () => {
    const { embed, detect } = createNeuralMark(openToyModel(place()));
    const picture = await rasterOf(7, 1000, 300);
    const marked = { ...picture, data: await embed(picture, PAYLOAD) };
    expect(await detect(marked)).toEqual(bindingOf(PAYLOAD));
    const columns = new Set<number>();
    for (const [at, value] of marked.data.entries())
      if (value !== picture.data[at]) columns.add(Math.floor(at / 3) % 1000);
    expect([Math.min(...columns), Math.max(...columns)]).toEqual([
      expect.closeTo(350, -1),
      expect.closeTo(649, -1),
    ]);
  });

  it('has the algorithm and the code of model.json', async () => {
    const json = { algorithm: 'org.example.mark', code: 'BCH_SUPER', strength: 1.5 };
    const { embed, detect, payloadBits } = createNeuralMark(
      openToyModel(place(), { 'model.json': JSON.stringify(json) }),
    );
    const picture = await rasterOf(9);
    const marked = { ...picture, data: await embed(picture, 5n) };
    expect(payloadBits).toBe(40);
    expect(await detect(marked)).toEqual({ alg: 'org.example.mark', value: `0*${'101'.padStart(40, '0')}` });
  });
});

describe('the trial of a model', () => {
  it.each(['BCH_SUPER', 'BCH_5', 'BCH_4', 'BCH_3'])(
    'accepts a working model with the code %s',
    async (code) => {
      const model = openToyModel(place(), { 'model.json': JSON.stringify({ code }) });
      await expect(tryNeuralMark(createNeuralMark(model))).resolves.toBeUndefined();
    },
  );
});

describe('a model that does not work', () => {
  it.each<[string, ModelFiles, RegExp]>([
    ['a file that is no ONNX', { 'encoder_Q.onnx': 'text' }, /^encoder_Q\.onnx does not work: ./],
    [
      'a decoder without 100 values',
      { 'decoder_Q.onnx': brokenDecoder() },
      /^decoder_Q\.onnx returns an array of 1 x 1024 values\. It must have 1 x 100\.$/,
    ],
    [
      'another name of an output',
      { 'model.json': JSON.stringify({ decoder: { output: 'logits' } }) },
      /^decoder_Q\.onnx has the inputs image and the outputs output\..* names image, logits\.$/,
    ],
    [
      'another name of an input',
      { 'model.json': JSON.stringify({ decoder: { image: 'picture' } }) },
      /^decoder_Q\.onnx has the inputs image and the outputs output\..* names picture, output\.$/,
    ],
    [
      'another size of the picture',
      { 'model.json': JSON.stringify({ decoder: { side: 224 } }) },
      /^decoder_Q\.onnx does not work: .*(224|256)/s,
    ],
    [
      'an encoder and a decoder that do not belong together',
      { 'decoder_Q.onnx': foreignDecoder() },
      /^The decoder does not read the mark of the encoder\. .*`range`/,
    ],
    [
      'a range so wide that the mark disappears',
      { 'model.json': JSON.stringify({ range: [-100, 100] }) },
      /^The decoder does not read the mark of the encoder\./,
    ],
    [
      'a range so narrow that the mark is visible',
      { 'model.json': JSON.stringify({ range: [-0.1, 0.1] }) },
      /^The mark is visible: its PSNR is [12]\d\.\d dB, and must be at least 30 dB\./,
    ],
  ])('is reported by the trial: %s', async (_, changed, says) => {
    const watermarkModel = openToyModel(place(), changed);
    await expect(tryNeuralMark(createNeuralMark(watermarkModel))).rejects.toThrow(says);
    const pool = createSearchPool({ timeoutMs: 30_000, maxPictureBytes: 2 ** 28, watermarkModel });
    try {
      expect(await pool.run({ kind: 'tryModel' }, PLACE)).toEqual({
        kind: 'tried',
        problem: expect.stringMatching(says),
      });
    } finally {
      await pool.close();
    }
  });

  it('504: a task whose model takes too long ends with Timeout, and its thread ends', async () => {
    const watermarkModel = openToyModel(place(), { 'encoder_Q.onnx': toyEncoder({ rounds: 2_000 }) });
    const pool = createSearchPool({ timeoutMs: 400, maxPictureBytes: 2 ** 28, watermarkModel });
    const bytes = await (await texturedPicture(3)).png().toBuffer();
    let ended: Promise<unknown> = new Promise(() => {});
    const hold = (end: Promise<unknown>) => {
      ended = end;
    };
    try {
      const task = { kind: 'mark', as: 'image', bytes, payload: PAYLOAD } as const;
      await expect(pool.run(task, { ...PLACE, hold })).rejects.toMatchObject({
        code: 'Timeout',
        status: 504,
      });
      await ended;
    } finally {
      await pool.close();
    }
  });
});

describe('WATERMARK_MODEL_DIR', () => {
  const problemOf = (model: NeuralModel | string) => (typeof model === 'string' ? model : undefined);

  it('has a clear error for a missing file, and for a directory that does not exist', () => {
    for (const directory of [folder, '/nonexistent'])
      expect(problemOf(readNeuralModel(directory))).toMatch(
        /has no file encoder_Q\.onnx.*copy the file there/,
      );
    expect(() => readConfig({ WATERMARK_MODEL_DIR: folder })).toThrow(ConfigError);
  });

  it.each([
    ['no JSON', '{', /model\.json of WATERMARK_MODEL_DIR is not readable JSON/],
    ['an unknown member', '{"size":1}', /not valid.*size/],
    [
      "the name of the service's own algorithm",
      '{"algorithm":"colophon.image-mark.1"}',
      /algorithm: must not begin with `colophon\.`/,
    ],
    [
      'the algorithm of the ISCC',
      '{"algorithm":"io.iscc.v0"}',
      /algorithm: must not begin with .*`io\.iscc\.`/,
    ],
    ['an algorithm without a domain', '{"algorithm":"unreadable"}', /algorithm: must be .* with a domain/],
    ['a range without a width', '{"range":[1,1]}', /range: must be two numbers, the smaller first/],
    ['a reversed range', '{"range":[1,-1]}', /range: must be two numbers, the smaller first/],
    ['an unknown code', '{"code":"BCH_2"}', /code: .*BCH_SUPER.*BCH_5/],
    ['a path', '{"encoder":{"file":"../encoder.onnx"}}', /encoder\.file: must be the name of a file/],
  ])('has a clear error for a model.json with %s', (_, json, says) => {
    const directory = writeToyModel(place(), { 'model.json': json });
    expect(problemOf(readNeuralModel(directory))).toMatch(says);
  });

  it('has an error with the command that installs a missing runtime', () => {
    const from = pathToFileURL(path.join(folder, 'service.js'));
    expect(problemOf(readNeuralModel(writeToyModel(place()), from))).toBe(
      'WATERMARK_MODEL_DIR needs a package that is not installed: npm install onnxruntime-web@1.30.0',
    );
  });
});
