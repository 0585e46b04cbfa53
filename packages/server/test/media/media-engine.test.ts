import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaEngine } from '../../src/media/create-media-engine.js';
import { MEDIA_FORMATS } from '../../src/media/formats.js';
import type { MediaEngine, ReadOutcome, SignRequest } from '../../src/media/media-engine.js';
import { actions, define, failures, ingredients } from '../support/manifests.js';
import {
  flipContent,
  HAS_REAL_FILES,
  type MediaFile,
  makeMediaFiles,
  realFile,
} from '../support/media-files.js';
import { makeSigner, trustAnchorPem } from '../support/signers.js';

const MAX_BYTES = 8 * 1024 * 1024;
const FORMATS = MEDIA_FORMATS.map(({ name }) => name);
const folder = mkdtempSync(path.join(tmpdir(), 'colophon-media-'));
const signer = makeSigner();
let engine: MediaEngine;
let files: Map<string, MediaFile>;
let made = 0;

beforeAll(async () => {
  engine = await createMediaEngine({ maxBytes: MAX_BYTES, timeoutMs: 30_000, threads: 2 });
  files = new Map((await makeMediaFiles()).map((file) => [file.name, file]));
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

function file(name: string): MediaFile {
  const found = files.get(name);
  if (found === undefined) throw new Error(`no file of the format ${name}`);
  return found;
}

function newPath(): string {
  made += 1;
  return path.join(folder, String(made));
}

function write(bytes: Uint8Array): string {
  const target = newPath();
  writeFileSync(target, bytes);
  return target;
}

function read(bytes: Uint8Array, mediaType: string, trustAnchorsPem?: string): Promise<ReadOutcome> {
  return engine.read({ path: write(bytes), mediaType, ...(trustAnchorsPem ? { trustAnchorsPem } : {}) });
}

async function sign(bytes: Uint8Array, mediaType: string, wanted: Partial<SignRequest> = {}) {
  const request = {
    path: write(bytes),
    outputPath: newPath(),
    mediaType,
    definition: define(),
    ingredients: [],
    signer,
  };
  const outcome = await engine.sign({ ...request, ...wanted });
  return { ...outcome, signed: readFileSync(request.outputPath) };
}

async function readStore(bytes: Uint8Array, mediaType: string, trustAnchorsPem?: string) {
  const outcome = await read(bytes, mediaType, trustAnchorsPem);
  if (outcome.kind !== 'store') throw new Error(`read as ${JSON.stringify(outcome)}`);
  return outcome;
}

describe.each(FORMATS)('a %s file', (name) => {
  it('without a manifest reads as none', async () => {
    const { bytes, mediaType } = file(name);
    expect(await read(bytes, mediaType)).toEqual({ kind: 'none' });
  });

  it('is signed, and reads as valid, and as trusted where its authority is an anchor', async () => {
    const { bytes, mediaType } = file(name);
    const { signed, sizeBytes, store } = await sign(bytes, mediaType);
    expect([store.validation_state, failures(store)]).toEqual(['Valid', ['signingCredential.untrusted']]);
    expect(sizeBytes).toBe(signed.length);
    const trusted = await readStore(signed, mediaType, trustAnchorPem);
    expect([trusted.store.validation_state, failures(trusted.store)]).toEqual(['Trusted', []]);
    expect(actions(trusted.store)).toEqual(['c2pa.created']);
  });

  it('reads as invalid when one bit of its content was changed after signing', async () => {
    const { bytes, mediaType } = file(name);
    const { signed } = await sign(bytes, mediaType);
    const { store } = await readStore(flipContent(file(name), signed), mediaType, trustAnchorPem);
    expect(store.validation_state).toBe('Invalid');
    expect(failures(store).join()).toMatch(/assertion\.(data|bmff)Hash\.mismatch/);
  });

  it('keeps its history when it is signed again', async () => {
    const { bytes, mediaType } = file(name);
    const first = await sign(bytes, mediaType);
    const second = await sign(first.signed, mediaType, {
      definition: define({ action: 'c2pa.edited' }),
      trustAnchorsPem: trustAnchorPem,
    });
    const { store } = await readStore(second.signed, mediaType, trustAnchorPem);
    expect([store.validation_state, failures(store)]).toEqual(['Trusted', []]);
    expect(actions(store)).toEqual(['c2pa.opened', 'c2pa.edited']);
    expect(ingredients(store)).toMatchObject([
      { relationship: 'parentOf', active_manifest: first.store.active_manifest },
    ]);
    expect(Object.keys(store.manifests)).toContain(first.store.active_manifest);
  });

  it('is not changed by being signed', async () => {
    const { bytes, mediaType } = file(name);
    const source = write(bytes);
    await engine.sign({
      path: source,
      outputPath: newPath(),
      mediaType,
      definition: define(),
      ingredients: [],
      signer,
    });
    expect(readFileSync(source).equals(bytes)).toBe(true);
  });
});

describe('a manifest', () => {
  it.each(['JPEG', 'PNG', 'AVIF', 'WebP'])(
    'holds a picture of a %s file when one is wanted',
    async (name) => {
      const { bytes, mediaType } = file(name);
      const { signed } = await sign(bytes, mediaType, { thumbnail: true });
      const { thumbnails } = await readStore(signed, mediaType);
      expect(thumbnails).toHaveLength(1);
      expect(thumbnails[0]?.mediaType).toBe('image/jpeg');
      expect([...(thumbnails[0]?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
    },
  );

  it.each(['HEIC', 'MP4', 'PDF'])('goes without a picture where none can be made of %s', async (name) => {
    const { bytes, mediaType } = file(name);
    const { signed } = await sign(bytes, mediaType, { thumbnail: true });
    expect((await readStore(signed, mediaType)).thumbnails).toEqual([]);
  });

  it('names the ingredients of other formats and holds their manifests', async () => {
    const png = await sign(file('PNG').bytes, 'image/png');
    const ingredient = { json: { title: 'a source', relationship: 'componentOf' }, mediaType: 'image/png' };
    const { store } = await sign(file('PDF').bytes, 'application/pdf', {
      ingredients: [{ ...ingredient, path: write(png.signed) }],
    });
    expect(ingredients(store)).toMatchObject([{ title: 'a source', relationship: 'componentOf' }]);
    expect(Object.keys(store.manifests)).toHaveLength(2);
  });

  it('is refused when it calls content created that has a history', async () => {
    const { signed } = await sign(file('JPEG').bytes, 'image/jpeg');
    const outputPath = newPath();
    await expect(sign(signed, 'image/jpeg', { outputPath })).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('c2pa.created'),
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('is refused, and nothing written, when its definition is not one', async () => {
    const outputPath = newPath();
    const definition = { ...define(), assertions: 'none' };
    await expect(sign(file('JPEG').bytes, 'image/jpeg', { outputPath, definition })).rejects.toMatchObject({
      code: 'ValidationError',
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('is refused when what it makes would not be valid', async () => {
    const outputPath = newPath();
    const definition = define({ action: 'c2pa.edited' });
    await expect(sign(file('JPEG').bytes, 'image/jpeg', { outputPath, definition })).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('would not be valid'),
    });
    expect(existsSync(outputPath)).toBe(false);
  });
});

describe('the media engine', () => {
  it('refuses other formats with 415', async () => {
    const source = write(Buffer.from('text'));
    const refusal = { code: 'Unsupported', status: 415 };
    await expect(engine.read({ path: source, mediaType: 'text/plain' })).rejects.toMatchObject(refusal);
    await expect(sign(Buffer.from('text'), 'text/plain')).rejects.toMatchObject(refusal);
  });

  it('refuses files over its limit with 413', async () => {
    const large = Buffer.concat([file('JPEG').bytes, Buffer.alloc(MAX_BYTES)]);
    const refusal = { code: 'PayloadTooLarge', status: 413 };
    await expect(read(large, 'image/jpeg')).rejects.toMatchObject(refusal);
    await expect(sign(large, 'image/jpeg')).rejects.toMatchObject(refusal);
  });

  it('refuses trust anchors that are not certificates with 422', async () => {
    await expect(read(file('JPEG').bytes, 'image/jpeg', 'trust me')).rejects.toMatchObject({
      code: 'ValidationError',
      details: [{ path: 'trustAnchors', message: 'not PEM certificates' }],
    });
  });

  it.each(['JPEG', 'PNG', 'WebP', 'MP4', 'PDF'])(
    'calls a %s file broken whose manifest is cut',
    async (name) => {
      const { bytes, mediaType } = file(name);
      const { signed } = await sign(bytes, mediaType);
      const cut = signed.subarray(0, signed.indexOf('c2pa.assertions') + 40);
      const outcome = await read(cut, mediaType);
      expect(outcome).toMatchObject({ kind: 'broken', code: expect.stringMatching(/\w\.\w/) });
    },
  );
});

describe.skipIf(!HAS_REAL_FILES)('a real file', () => {
  const readReal = async (name: string) => {
    const mediaType = 'image/jpeg';
    return engine.read({ path: realFile(`signed/adobe-20220124-${name}.jpg`), mediaType });
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

  it('CAI gives the pictures of its claim and of both ingredients', async () => {
    const outcome = await readReal('CAI');
    expect(outcome).toMatchObject({ thumbnails: [{}, {}, {}] });
  });

  it.each([
    ['P1000827.jpg', 'image/jpeg'],
    ['sample1.png', 'image/png'],
    ['sample1.heic', 'image/heic'],
    ['sample1.heif', 'image/heif'],
    ['sample1.avif', 'image/avif'],
    ['sample1.webp', 'image/webp'],
    ['video1_no_manifest.mp4', 'video/mp4'],
    ['c.mov', 'video/quicktime'],
    ['sample1.mp3', 'audio/mpeg'],
    ['sample1.m4a', 'audio/mp4'],
    ['basic.pdf', 'application/pdf'],
    ['basic-attachments.pdf', 'application/pdf'],
    ['basic-signed.pdf', 'application/pdf'],
  ])('%s is signed and reads as trusted', async (name, mediaType) => {
    const bytes = readFileSync(realFile(`unsigned/${name}`));
    const { signed } = await sign(bytes, mediaType, { thumbnail: true });
    expect((await readStore(signed, mediaType, trustAnchorPem)).store.validation_state).toBe('Trusted');
  });
});
