import { existsSync } from 'node:fs';
import { parseManifestStore } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interpretManifestStore, summariseSigned } from '../../src/media/interpret-manifest-store.js';
import { createPassTimes } from '../../src/media/pass-times.js';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { makeMediaFiles } from '../support/media-files.js';

const mediaType = 'image/jpeg';
const fileCid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const interpretOptions = { bundle: { fileCid, mimeType: mediaType } };
const times = createPassTimes();

let desk: MediaDesk;
beforeAll(async () => {
  desk = await openMediaDesk({ times });
});
afterAll(() => desk.close());

async function signWith(assertion: { label: string; data: object }, outputPath = desk.newPath()) {
  const [file] = (await makeMediaFiles()).filter(({ name }) => name === 'JPEG');
  const plain = define();
  const isActions = assertion.label === 'c2pa.actions.v2';
  const assertions = [...(isActions ? [] : (plain.assertions as object[])), assertion];
  const wanted = { definition: { ...plain, assertions }, thumbnail: true, outputPath };
  return desk.sign(file?.bytes ?? Buffer.alloc(0), mediaType, wanted);
}

function signActions(count: number, describe = (index: number) => `Change ${index}`) {
  const edits = Array.from({ length: count - 1 }, (_, index) => ({
    action: 'c2pa.edited',
    softwareAgent: { name: 'Editor', version: `1.${index}` },
    parameters: { description: describe(index) },
  }));
  const digitalSourceType = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture';
  const actions = [{ action: 'c2pa.created', digitalSourceType }, ...edits];
  return signWith({ label: 'c2pa.actions.v2', data: { actions } });
}

const sign = async (...made: Parameters<typeof signActions>) => (await signActions(...made)).signed;

it('a large manifest is converted in the thread that read it, with the same result as in the main thread', async () => {
  const path = desk.write(await sign(900));
  const before = times.sums.get('tell')?.count ?? 0;
  const [read, outcome] = [
    await desk.engine.read({ path, mediaType }),
    await desk.engine.read({ path, mediaType, interpretOptions }),
  ];
  if (read.kind !== 'store' || outcome.kind !== 'interpreted')
    throw new Error(`${read.kind}, ${outcome.kind}`);
  expect(parseManifestStore(read.store).active.actions).toHaveLength(900);
  expect(outcome.reading.bundle?.actions).toHaveLength(900);
  expect(outcome.reading).toEqual(interpretManifestStore(read, interpretOptions));
  expect(times.sums.get('tell')?.count).toBe(before + 1);
});

it('a small manifest is returned without a conversion', async () => {
  const path = desk.write(await sign(3));
  expect(await desk.engine.read({ path, mediaType, interpretOptions })).toMatchObject({ kind: 'store' });
});

it('a description of manifests with more than 4 Mi characters is rejected with 413', async () => {
  const path = desk.write(await sign(200, () => 'y'.repeat(30_000)));
  const reading = desk.engine.read({ path, mediaType, interpretOptions });
  await expect(reading).rejects.toMatchObject({
    code: 'PayloadTooLarge',
    message: expect.stringContaining('the limit is 4194304'),
    recovery: expect.stringContaining('Send a copy of the file without its manifest'),
  });
});

it('the thread that signs a copy converts its manifest, and the main thread receives only a summary', async () => {
  const { signed: _, store, ...outcome } = await signActions(900);
  expect(Object.keys(outcome).sort()).toEqual(['sizeBytes', 'summary']);
  expect(outcome.summary).toEqual(summariseSigned(store));
  expect(outcome.summary.extension.actions).toHaveLength(900);
});

it('a copy with too many objects is not signed, and the error names the limit and the remedy', async () => {
  const outputPath = desk.newPath();
  const brackets = { label: 'org.example.brackets', data: { text: '['.repeat(100_001) } };
  await expect(signWith(brackets, outputPath)).rejects.toMatchObject({
    code: 'PayloadTooLarge',
    message: expect.stringMatching(/objects and arrays .*; the limit is 100000\.$/),
    recovery: expect.stringContaining('Sign a copy of the file without its manifest'),
  });
  expect(existsSync(outputPath)).toBe(false);
});
