import { parseManifestStore } from '@colophon/model';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interpretManifestStore } from '../../src/media/interpret-manifest-store.js';
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

/** A picture whose manifest has `count` actions. */
async function sign(count: number, describe = (index: number) => `Change ${index}`): Promise<Buffer> {
  const [file] = (await makeMediaFiles()).filter(({ name }) => name === 'JPEG');
  const edits = Array.from({ length: count - 1 }, (_, index) => ({
    action: 'c2pa.edited',
    softwareAgent: { name: 'Editor', version: `1.${index}` },
    parameters: { description: describe(index) },
  }));
  const digitalSourceType = 'http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture';
  const actions = [{ action: 'c2pa.created', digitalSourceType }, ...edits];
  const assertions = [{ label: 'c2pa.actions.v2', data: { actions } }];
  const definition = { ...define(), assertions };
  return (await desk.sign(file?.bytes ?? Buffer.alloc(0), mediaType, { definition, thumbnail: true })).signed;
}

it('a large manifest is converted in the thread that read it, with the same result as in the main thread', async () => {
  const path = desk.write(await sign(900));
  const [read, outcome] = [
    await desk.engine.read({ path, mediaType }),
    await desk.engine.read({ path, mediaType, interpretOptions }),
  ];
  if (read.kind !== 'store' || outcome.kind !== 'interpreted')
    throw new Error(`${read.kind}, ${outcome.kind}`);
  expect(parseManifestStore(read.store).active.actions).toHaveLength(900);
  expect(outcome.reading.bundle?.actions).toHaveLength(900);
  expect(outcome.reading).toEqual(interpretManifestStore(read, interpretOptions));
  expect(times.sums.get('tell')?.count).toBe(1);
});

it('a small manifest is returned as read', async () => {
  const path = desk.write(await sign(3));
  expect(await desk.engine.read({ path, mediaType, interpretOptions })).toMatchObject({ kind: 'store' });
});

it('a reading of more than 4 Mi characters is rejected with 413', async () => {
  const path = desk.write(await sign(200, () => 'y'.repeat(30_000)));
  const reading = desk.engine.read({ path, mediaType, interpretOptions });
  await expect(reading).rejects.toMatchObject({ code: 'PayloadTooLarge' });
});
