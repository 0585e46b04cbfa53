import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failures } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { HAS_REAL_FILES, REAL_UNSIGNED, realFile } from '../support/media-files.js';
import { trustAnchorPem } from '../support/signers.js';

let desk: MediaDesk;

beforeAll(async () => {
  desk = await openMediaDesk();
});

afterAll(() => desk.close());

describe.skipIf(!HAS_REAL_FILES)('a real file', () => {
  const readReal = async (name: string) => {
    const mediaType = 'image/jpeg';
    return desk.engine.read({ path: realFile(`signed/adobe-20220124-${name}.jpg`), mediaType });
  };

  it.each(['A', 'I'])('%s has no manifest', async (name) => {
    expect(await readReal(name)).toEqual({ kind: 'none' });
  });

  it.each([
    ['C', 'Valid', 1, 'signingCredential.untrusted'],
    ['CA', 'Valid', 1, 'signingCredential.untrusted'],
    ['CAI', 'Valid', 1, 'signingCredential.untrusted'],
    ['XCA', 'Invalid', 1, 'assertion.dataHash.mismatch'],
    ['E-sig-CA', 'Invalid', 1, 'claimSignature.mismatch'],
  ])('%s reads as %s', async (name, state, manifests, code) => {
    const outcome = await readReal(name);
    if (outcome.kind !== 'store') throw new Error(outcome.kind);
    expect(outcome.store.validation_state).toBe(state);
    expect(Object.keys(outcome.store.manifests)).toHaveLength(manifests);
    expect(failures(outcome.store)).toContain(code);
  });

  it('CAI contains the thumbnails of its claim and of both ingredients', async () => {
    const outcome = await readReal('CAI');
    expect(outcome).toMatchObject({ thumbnails: [{}, {}, {}] });
  });

  it.each(REAL_UNSIGNED)('%s is signed and reads as trusted', async (name, mediaType) => {
    const bytes = readFileSync(realFile(`unsigned/${name}`));
    const { signed } = await desk.sign(bytes, mediaType, { thumbnail: true });
    expect((await desk.readStore(signed, mediaType, trustAnchorPem)).store.validation_state).toBe('Trusted');
  });
});
