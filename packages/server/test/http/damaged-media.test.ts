import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import { HAS_REAL_FILES, type MediaFile, makeMediaFiles, realFile } from '../support/media-files.js';
import { createMediaClient } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const CONTAINER = 'The file is damaged, so the service cannot check its Content Credentials.';
const files = await makeMediaFiles();
const ofFormat = (name: string) => files.find((file) => file.name === name) as MediaFile;

/** Texts with which a manifest begins in a binary file, in SVG, in source text, and in other text. */
const STARTS = ['c2pa.assertions', '<c2pa:manifest>', 'application/c2pa', '\u{fe00}'];

function findManifest(signed: Buffer): number {
  const start = STARTS.map((one) => signed.indexOf(one)).find((at) => at !== -1);
  if (start === undefined) throw new Error('The signed file has no manifest.');
  return start;
}

describe('a file that is cut short', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human' }));
  });
  afterAll(() => service.stop());

  const { post, embed, bytesOf } = createMediaClient(() => service);

  // MP3 and FLAC are absent: the engine does not read their sound.
  it.each([
    ['JPEG', 3],
    ['JPEG', 20],
    ['PNG', 8],
    ['PNG', 40],
    ['HEIC', 12],
    ['HEIF', 12],
    ['AVIF', 12],
    ['WebP', 12],
    ['MP4', 12],
    ['MOV', 12],
    ['M4A', 12],
    ['PDF', 5],
    ['GIF', 12],
    ['TIFF', 10],
    ['JPEG XL', 20],
    ['SVG', 60],
    ['WAV', 12],
    ['AVI', 12],
  ])(
    '%s cut to %i bytes: is invalid and has no manifest, and the service neither signs nor imports it',
    async (name, length) => {
      const file = ofFormat(name).bytes.subarray(0, length);
      const verified = await post('verify', { file });
      expect(verified).toMatchObject({
        status: 200,
        body: { hasManifest: false, validation: { state: 'invalid', summary: CONTAINER }, display: null },
      });
      expect((await post('extract', { file })).body).toMatchObject({ manifest: null, bundle: null });
      for (const refused of [await embed(file), await post('import', { file })])
        expect([refused.status, refused.body.error.message]).toEqual([
          422,
          expect.stringContaining(CONTAINER),
        ]);
    },
  );

  it.each(MEDIA_FORMATS.map(({ name }) => name))(
    '%s cut inside its manifest: is invalid, and has a manifest',
    async (name) => {
      const { body } = await embed(ofFormat(name).bytes);
      const signed = await bytesOf(body.cid);
      const file = signed.subarray(0, findManifest(signed) + 100);
      expect((await post('verify', { file })).body).toMatchObject({
        hasManifest: true,
        validation: { state: 'invalid' },
      });
    },
  );

  it.skipIf(!HAS_REAL_FILES)(
    'a real photo: its first 1,000 bytes are invalid, and its first half has no manifest',
    async () => {
      const photo = readFileSync(realFile('unsigned/no_manifest.jpg'));
      const stump = await post('verify', { file: photo.subarray(0, 1000) });
      expect(stump.body).toMatchObject({ hasManifest: false, validation: { state: 'invalid' } });
      const half = await post('verify', { file: photo.subarray(0, photo.length / 2) });
      expect(half.body).toMatchObject({ hasManifest: false, validation: null });
    },
  );
});
