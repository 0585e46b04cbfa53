import { existsSync, readFileSync } from 'node:fs';
import { toValidation } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import { actions, define, failures, ingredients } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { flipContent, type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { trustAnchorPem } from '../support/signers.js';

const MAX_BYTES = 8 * 1024 * 1024;
const FORMATS = MEDIA_FORMATS.map(({ name }) => name);
let desk: MediaDesk;
let files: Map<string, MediaFile>;

beforeAll(async () => {
  desk = await openMediaDesk({ maxBytes: MAX_BYTES });
  files = new Map((await makeMediaFiles()).map((file) => [file.name, file]));
});

afterAll(() => desk.close());

function file(name: string): MediaFile {
  const found = files.get(name);
  if (found === undefined) throw new Error(`no file of the format ${name}`);
  return found;
}

describe.each(FORMATS)('a %s file', (name) => {
  it('without a manifest reads as a file without a manifest', async () => {
    const { bytes, mediaType } = file(name);
    expect(await desk.read(bytes, mediaType)).toEqual({ kind: 'none' });
  });

  it('is signed, and reads as valid, and as trusted if the authority of the signer is an anchor', async () => {
    const { bytes, mediaType } = file(name);
    const { signed, sizeBytes, store } = await desk.sign(bytes, mediaType);
    expect([store.validation_state, failures(store)]).toEqual(['Valid', ['signingCredential.untrusted']]);
    expect(sizeBytes).toBe(signed.length);
    const trusted = await desk.readStore(signed, mediaType, trustAnchorPem);
    expect([trusted.store.validation_state, failures(trusted.store)]).toEqual(['Trusted', []]);
    expect(actions(trusted.store)).toEqual(['c2pa.created']);
  });

  it('reads as invalid when one bit of its content was changed after signing', async () => {
    const { bytes, mediaType } = file(name);
    const { signed } = await desk.sign(bytes, mediaType);
    const { store } = await desk.readStore(flipContent(file(name), signed), mediaType, trustAnchorPem);
    expect(store.validation_state).toBe('Invalid');
    expect(failures(store).join()).toMatch(/assertion\.(data|bmff)Hash\.mismatch/);
  });

  it('keeps its history when it is signed again', async () => {
    const { bytes, mediaType } = file(name);
    const first = await desk.sign(bytes, mediaType);
    const second = await desk.sign(first.signed, mediaType, {
      definition: define({ action: 'c2pa.edited' }),
      trustAnchorsPem: trustAnchorPem,
    });
    const { store } = await desk.readStore(second.signed, mediaType, trustAnchorPem);
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
    expect(actions(store)).toEqual(['c2pa.opened', 'c2pa.edited']);
    expect(ingredients(store)).toMatchObject([
      { relationship: 'parentOf', active_manifest: first.store.active_manifest },
    ]);
    expect(Object.keys(store.manifests)).toContain(first.store.active_manifest);
  });

  it('is not changed when it is signed', async () => {
    const { bytes, mediaType } = file(name);
    const source = desk.write(bytes);
    await desk.sign(bytes, mediaType, { path: source });
    expect(readFileSync(source).equals(bytes)).toBe(true);
  });
});

describe('a manifest', () => {
  it.each(['JPEG', 'PNG', 'AVIF', 'WebP'])('contains a thumbnail of a %s file if requested', async (name) => {
    const { bytes, mediaType } = file(name);
    const { signed } = await desk.sign(bytes, mediaType, { thumbnail: true });
    const { thumbnails } = await desk.readStore(signed, mediaType);
    expect(thumbnails).toHaveLength(1);
    expect(thumbnails[0]?.mediaType).toBe('image/jpeg');
    expect([...(thumbnails[0]?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
  });

  it.each(['HEIC', 'MP4', 'PDF'])('has no thumbnail if none can be made of %s', async (name) => {
    const { bytes, mediaType } = file(name);
    const { signed } = await desk.sign(bytes, mediaType, { thumbnail: true });
    expect((await desk.readStore(signed, mediaType)).thumbnails).toEqual([]);
  });

  it('names an ingredient of another format, and contains the manifest of the ingredient', async () => {
    const png = await desk.sign(file('PNG').bytes, 'image/png');
    const ingredient = { json: { title: 'a source', relationship: 'componentOf' }, mediaType: 'image/png' };
    const { store } = await desk.sign(file('PDF').bytes, 'application/pdf', {
      ingredients: [{ ...ingredient, path: desk.write(png.signed) }],
    });
    expect(ingredients(store)).toMatchObject([{ title: 'a source', relationship: 'componentOf' }]);
    expect(Object.keys(store.manifests)).toHaveLength(2);
  });

  it('is rejected if it has the action `c2pa.created`, but the content already has a history', async () => {
    const { signed } = await desk.sign(file('JPEG').bytes, 'image/jpeg');
    const outputPath = desk.newPath();
    await expect(desk.sign(signed, 'image/jpeg', { outputPath })).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('c2pa.created'),
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('is rejected without output if its definition is invalid', async () => {
    const outputPath = desk.newPath();
    const definition = { ...define(), assertions: 'none' };
    await expect(
      desk.sign(file('JPEG').bytes, 'image/jpeg', { outputPath, definition }),
    ).rejects.toMatchObject({
      code: 'ValidationError',
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('is rejected if the signed file would be invalid', async () => {
    const outputPath = desk.newPath();
    const definition = define({ action: 'c2pa.edited' });
    await expect(
      desk.sign(file('JPEG').bytes, 'image/jpeg', { outputPath, definition }),
    ).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('would not be valid'),
    });
    expect(existsSync(outputPath)).toBe(false);
  });
});

describe('the media engine', () => {
  it('rejects a format that the table does not have with 415', async () => {
    const source = desk.write(Buffer.from('{}'));
    const refusal = { code: 'Unsupported', status: 415 };
    await expect(desk.engine.read({ path: source, mediaType: 'application/zip' })).rejects.toMatchObject(
      refusal,
    );
    await expect(desk.sign(Buffer.from('{}'), 'application/zip')).rejects.toMatchObject(refusal);
  });

  it('rejects files over its limit with 413', async () => {
    const large = Buffer.concat([file('JPEG').bytes, Buffer.alloc(MAX_BYTES)]);
    const refusal = { code: 'PayloadTooLarge', status: 413 };
    await expect(desk.read(large, 'image/jpeg')).rejects.toMatchObject(refusal);
    await expect(desk.sign(large, 'image/jpeg')).rejects.toMatchObject(refusal);
  });

  it('rejects with 413 ingredients that together exceed its limit', async () => {
    const source = { json: { title: 'a source' }, mediaType: 'image/jpeg' };
    const half = Buffer.concat([file('JPEG').bytes, Buffer.alloc(MAX_BYTES * 0.6)]);
    const ingredient = { ...source, path: desk.write(half) };
    const refused = desk.sign(file('JPEG').bytes, 'image/jpeg', { ingredients: [ingredient, ingredient] });
    await expect(refused).rejects.toMatchObject({ code: 'PayloadTooLarge' });
    await desk.sign(file('JPEG').bytes, 'image/jpeg', { ingredients: [ingredient] });
  });

  it.each([
    ['16 Mi characters', Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'y'.repeat(900) }))],
    ['100,000 objects', Array.from({ length: 110_000 }, () => ({}))],
  ])('rejects with 413 a manifest of more than %s', async (_, lines) => {
    const { assertions, ...definition } = define() as { assertions: unknown[] };
    const large = {
      ...definition,
      assertions: [...assertions, { label: 'org.example.large', data: { lines } }],
    };
    const signing = desk.sign(file('JPEG').bytes, 'image/jpeg', { definition: large });
    const size = signing.then(({ sizeBytes }) => sizeBytes);
    await expect(size).rejects.toMatchObject({ code: 'PayloadTooLarge' });
  });

  it('rejects with 422 trust anchors that are not certificates', async () => {
    await expect(desk.read(file('JPEG').bytes, 'image/jpeg', 'trust me')).rejects.toMatchObject({
      code: 'ValidationError',
      details: [{ path: 'trustAnchors', message: 'not PEM certificates' }],
    });
  });

  it.each(['JPEG', 'PNG', 'WebP', 'MP4', 'PDF'])(
    'reports a %s file with a truncated manifest as broken',
    async (name) => {
      const { bytes, mediaType } = file(name);
      const { signed } = await desk.sign(bytes, mediaType);
      const cut = signed.subarray(0, signed.indexOf('c2pa.assertions') + 40);
      const outcome = await desk.read(cut, mediaType);
      expect(outcome).toMatchObject({ kind: 'broken', code: expect.stringMatching(/^\w+$/) });
      if (outcome.kind === 'broken') expect(toValidation(outcome).state).toBe('invalid');
    },
  );
});

describe('a damaged manifest', () => {
  it('is reported with the code of the damaged part', async () => {
    const { bytes, mediaType } = file('JPEG');
    const { signed } = await desk.sign(bytes, mediaType);
    const at = signed.indexOf('cbor', signed.indexOf('c2pa.claim.v2')) + 4;
    const claim = Buffer.concat([signed.subarray(0, at), Buffer.alloc(4, 0xff), signed.subarray(at + 4)]);
    const outcome = await desk.read(claim, mediaType);
    if (outcome.kind !== 'broken') throw new Error(`read as ${outcome.kind}`);
    expect(toValidation(outcome).codes).toEqual([
      { code: 'claim.cbor.invalid', kind: 'failure', explanation: 'ClaimDecoding' },
    ]);
  });
});

describe('a file without a manifest', () => {
  it.each(['JPEG', 'PNG', 'WebP'])(
    'is not reported as broken because of the manifest of a %s cover inside it',
    async (name) => {
      const { bytes, mediaType } = file(name);
      const { signed } = await desk.sign(bytes, mediaType);
      const head = Buffer.alloc(8);
      head.writeUInt32BE(8 + signed.length);
      head.write('free', 4);
      const song = Buffer.concat([file('M4A').bytes, head, signed]);
      expect(await desk.read(song, 'audio/mp4')).toEqual({ kind: 'none' });
    },
  );

  it('is reported as broken if it contains parts of a truncated manifest', async () => {
    const { bytes, mediaType } = file('MP3');
    const { signed } = await desk.sign(bytes, mediaType);
    const outcome = await desk.read(signed.subarray(8), mediaType);
    expect(outcome).toMatchObject({ kind: 'broken', code: 'ManifestCutOff' });
  });
});
