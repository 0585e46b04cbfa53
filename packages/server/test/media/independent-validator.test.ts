import { locateTextManifest } from '@colophon/model';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ManifestStore, ValidationResult } from '@trustnxt/c2pa-ts/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SigningAlgorithm } from '../../src/media/media-engine.js';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { flipContent, makeMediaFiles } from '../support/media-files.js';
import { type KeyKind, makeSigner } from '../support/signers.js';

/** The formats that c2pa-ts reads. It does not check certificates. */
const FORMATS = ['JPEG', 'PNG', 'HEIC', 'HEIF', 'AVIF'];
/** c2pa-ts can validate a store from a text, but cannot find it there. */
const TEXTS = ['HTML', 'Text'];

function toTextAsset(text: Buffer): Asset {
  const located = locateTextManifest(text, { isHtml: true });
  const refuse = () => Promise.reject(new Error('read only'));
  return {
    mimeType: 'text/plain',
    getDataLength: () => text.length,
    getDataRange: async (start = 0, length = text.length - start) => text.subarray(start, start + length),
    getManifestJUMBF: () => (located.kind === 'store' ? located.store : undefined),
    getHashExclusionRange: () => ({ start: 0, length: 0 }),
    dumpInfo: () => 'text',
    ensureManifestSpace: refuse,
    writeManifestJUMBF: refuse,
  };
}

let desk: MediaDesk;

beforeAll(async () => {
  desk = await openMediaDesk();
});

afterAll(() => desk.close());

async function fileOf(name: string) {
  const found = (await makeMediaFiles()).find((file) => file.name === name);
  if (found === undefined) throw new Error(`no file of the format ${name}`);
  return found;
}

const IMAGES = [JPEG, PNG, BMFF];

async function validate(bytes: Buffer): Promise<ValidationResult> {
  const Image = IMAGES.find((one) => one.canRead(bytes));
  const asset = Image === undefined ? toTextAsset(bytes) : new Image(bytes);
  const jumbf = asset.getManifestJUMBF();
  if (jumbf === undefined) throw new Error('no manifest');
  try {
    return await ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(jumbf))).validate(asset);
  } catch (error) {
    return ValidationResult.fromError(error as Error);
  }
}

describe.each([...FORMATS, ...TEXTS])('a signed %s file', (name) => {
  it('is valid for another implementation of C2PA', async () => {
    const { bytes, mediaType } = await fileOf(name);
    const { signed } = await desk.sign(bytes, mediaType);
    const { isValid, statusEntries } = await validate(signed);
    expect(isValid, JSON.stringify(statusEntries)).toBe(true);
  });

  it('is invalid for another implementation after a change of its content', async () => {
    const file = await fileOf(name);
    const { signed } = await desk.sign(file.bytes, file.mediaType);
    expect((await validate(flipContent(file, signed))).isValid).toBe(false);
  });

  it('is valid for another implementation with a history and a thumbnail', async () => {
    const { bytes, mediaType } = await fileOf(name);
    const first = await desk.sign(bytes, mediaType);
    const definition = define({ action: 'c2pa.edited' });
    const { signed } = await desk.sign(first.signed, mediaType, { definition, thumbnail: true });
    const { isValid, statusEntries } = await validate(signed);
    expect(isValid, JSON.stringify(statusEntries)).toBe(true);
  });
});

// ES512 is missing here, because c2pa-ts 0.9.4 hashes ES512 signatures with SHA-256.
describe('a signature', () => {
  it.each<[SigningAlgorithm, KeyKind]>([
    ['es256', 'P-256'],
    ['es384', 'P-384'],
    ['ps256', 'RSA 2048'],
    ['ps384', 'RSA 2048'],
    ['ps512', 'RSA 2048'],
    ['ed25519', 'Ed25519'],
  ])('by %s is valid for another implementation', async (algorithm, kind) => {
    const { bytes, mediaType } = await fileOf('JPEG');
    const { signed } = await desk.sign(bytes, mediaType, { signer: { ...makeSigner({ kind }), algorithm } });
    const { isValid, statusEntries } = await validate(signed);
    expect(isValid, JSON.stringify(statusEntries)).toBe(true);
  });
});
