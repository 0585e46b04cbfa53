import { readFileSync } from 'node:fs';
import { type Display, parseManifestStore, toDisplay, toValidation } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { define } from '../../server/test/support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../../server/test/support/media-desk.js';
import {
  flipContent,
  HAS_REAL_FILES,
  type MediaFile,
  makeMediaFiles,
  realFile,
} from '../../server/test/support/media-files.js';
import { type Examined, examine } from '../src/check/credentials/examine.js';
import { thumbnailKey } from '../src/check/credentials/manifest-thumbnail.js';

const READ_HERE = ['JPEG', 'PNG', 'HEIC', 'HEIF', 'AVIF', 'HTML', 'Text'];
const FLIPS = 40;

let desk: MediaDesk;
let files: MediaFile[];
beforeAll(async () => {
  [desk, files] = await Promise.all([openMediaDesk(), makeMediaFiles()]);
});
afterAll(() => desk.close());

/** Returns the result of the service for a file. */
async function ask(bytes: Buffer, mediaType: string): Promise<{ state: string; display?: Display }> {
  const outcome = await desk.read(bytes, mediaType);
  if (outcome.kind === 'none') return { state: 'none' };
  // A file that the engine cannot read is invalid too, and reported as damaged.
  if (outcome.kind !== 'store') return { state: 'damaged' };
  const store = parseManifestStore(outcome.store);
  return { state: toValidation(store).state, display: toDisplay(store) };
}

/** The states that the service may report for each result of the browser. */
const AGREES: Record<Examined['kind'], RegExp> = {
  none: /^none$/,
  altered: /^(invalid|damaged)$/,
  // `damaged`: the changed byte is the type of a box around the signed data (15 of 2,000 files). The browser finds the
  // signed data intact, and the service cannot read the file.
  unchanged: /^(valid|trusted|damaged)$/,
  unsure: /./,
  unsupported: /./,
};

describe.each(READ_HERE)('the examination of a %s file in the browser', (name) => {
  const find = () => files.find((file) => file.name === name) as MediaFile;

  it('reports a signed file as unchanged, with the same credentials as the service', async () => {
    const { bytes, mediaType } = find();
    const first = await desk.sign(bytes, mediaType);
    const definition = define({ action: 'c2pa.color_adjustments' });
    const { signed } = await desk.sign(first.signed, mediaType, { definition, thumbnail: true });
    const examined = await examine(signed);
    const said = await ask(signed, mediaType);
    expect([examined.kind, said.state]).toEqual(['unchanged', 'valid']);
    expect(examined).toMatchObject({ display: said.display });
  });

  it('reads the thumbnails of a signed file and of its earlier version', async () => {
    const { bytes, mediaType } = find();
    const first = await desk.sign(bytes, mediaType, { thumbnail: true });
    const definition = define({ action: 'c2pa.color_adjustments' });
    const { signed } = await desk.sign(first.signed, mediaType, { definition, thumbnail: true });
    const examined = await examine(signed);
    if (examined.kind !== 'unchanged') throw new Error(examined.kind);
    const { manifest, thumbnails } = examined;
    const [parent] = manifest.ingredients;
    expect(parent?.relationship).toBe('parentOf');
    const hasPicture = ['JPEG', 'PNG', 'AVIF'].includes(name);
    for (const label of [manifest.label, parent?.manifestLabel ?? '']) {
      const { type, bytes: picture } = thumbnails.get(thumbnailKey(label)) ?? {};
      expect([type, picture && Buffer.from(picture.subarray(0, 3)).toString('hex')]).toEqual(
        hasPicture ? ['image/jpeg', 'ffd8ff'] : [undefined, undefined],
      );
    }
  });

  it('reports changed content as altered, and the service reports it as invalid', async () => {
    const file = find();
    const { signed } = await desk.sign(file.bytes, file.mediaType);
    const changed = flipContent(file, signed);
    const examined = await examine(changed);
    expect([examined.kind, (await ask(changed, file.mediaType)).state]).toEqual(['altered', 'invalid']);
    const unchanged = await examine(signed);
    const claimed = unchanged.kind === 'unchanged' ? unchanged.display.signedBy : undefined;
    expect(examined).toMatchObject({ claimedSigner: claimed });
  });

  it('finds no Content Credentials in an unsigned file', async () => {
    expect(await examine(find().bytes)).toEqual({ kind: 'none' });
  });

  it(`does not contradict the service when one byte is changed, at ${FLIPS} positions`, async () => {
    const { bytes, mediaType } = find();
    const { signed } = await desk.sign(bytes, mediaType);
    for (let flip = 0; flip < FLIPS; flip++) {
      const damaged = Buffer.from(signed);
      const at = Math.floor(((flip + 0.5) * signed.length) / FLIPS);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (flip % 8));
      const { kind } = await examine(damaged);
      const { state } = await ask(damaged, mediaType);
      expect(state, `${kind} with byte ${at} changed`).toMatch(AGREES[kind]);
    }
  });
});

describe('the examination in the browser', () => {
  const others = ['GIF', 'TIFF', 'JPEG XL', 'SVG', 'WAV', 'FLAC', 'AVI'];
  it.each(['WebP', 'MP4', 'MOV', 'MP3', 'M4A', 'PDF', ...others])(
    'reports %s as unsupported',
    async (name) => {
      const { bytes, mediaType } = files.find((file) => file.name === name) as MediaFile;
      const { signed } = await desk.sign(bytes, mediaType);
      expect(await examine(signed)).toEqual({ kind: 'unsupported' });
    },
  );
});

describe.skipIf(!HAS_REAL_FILES)('the examination of a real file', () => {
  it.each([
    ['A', 'none'],
    ['I', 'none'],
    ['C', 'unchanged'],
    ['CA', 'unchanged'],
    ['CAI', 'unchanged'],
    ['XCA', 'altered'],
    ['E-sig-CA', 'altered'],
  ])(
    'reports %s as %s, in agreement with the service, and an unchanged file with the same texts',
    async (name, kind) => {
      const bytes = readFileSync(realFile(`signed/adobe-20220124-${name}.jpg`));
      const examined = await examine(bytes);
      const { state, display } = await ask(bytes, 'image/jpeg');
      expect(examined.kind).toBe(kind);
      expect(state).toMatch(AGREES[examined.kind]);
      if (examined.kind === 'unchanged') expect(examined.display).toEqual(display);
    },
  );
});
