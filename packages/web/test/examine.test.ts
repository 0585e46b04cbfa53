import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Display, parseManifestStore, toDisplay, toValidation } from '@colophon/model';
import { CoseAlgorithmIdentifier, LocalSigner } from '@trustnxt/c2pa-ts/cose';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { ClaimVersion, DataHashAssertion, ManifestStore } from '@trustnxt/c2pa-ts/manifest';
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
import { makeSigner } from '../../server/test/support/signers.js';
import { findContainer } from '../src/check/credentials/containers/find-container.js';
import { type Examined, examine } from '../src/check/credentials/examine.js';
import { thumbnailKey } from '../src/check/credentials/manifest-thumbnail.js';
import { toAsset } from '../src/check/credentials/to-asset.js';

const PICTURES = ['JPEG', 'PNG', 'HEIC', 'HEIF', 'AVIF', 'WebP', 'GIF', 'TIFF', 'JPEG XL', 'SVG'];
const READ_HERE = [...PICTURES, 'MP3', 'WAV', 'FLAC', 'AVI', 'HTML', 'Text'];
const FLIPS = 40;

let desk: MediaDesk;
let files: MediaFile[];
beforeAll(async () => {
  [desk, files] = await Promise.all([openMediaDesk(), makeMediaFiles()]);
});
afterAll(() => desk.close());

async function ask(bytes: Buffer, mediaType: string): Promise<{ state: string; display?: Display }> {
  const outcome = await desk.read(bytes, mediaType);
  if (outcome.kind === 'none') return { state: 'none' };
  if (outcome.kind !== 'store') return { state: 'damaged' };
  const store = parseManifestStore(outcome.store);
  return { state: toValidation(store).state, display: toDisplay(store) };
}

/** The states that the service may report for each result of the browser. */
const AGREES: Record<Examined['kind'], RegExp> = {
  none: /^none$/,
  altered: /^(invalid|damaged)$/,
  // `damaged`: the changed byte is in the type of a box around the signed data, so only the browser finds the data
  // intact.
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
    const hasPicture = ['JPEG', 'PNG', 'AVIF', 'WebP', 'GIF', 'TIFF'].includes(name);
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
  it.each(['MP4', 'MOV', 'M4A', 'PDF'])('reports %s as unsupported', async (name) => {
    const { bytes, mediaType } = files.find((file) => file.name === name) as MediaFile;
    const { signed } = await desk.sign(bytes, mediaType);
    expect(await examine(signed)).toEqual({ kind: 'unsupported' });
  });
});

describe('a changed length of the part of a file that contains the manifest store', () => {
  it.each([
    ['GIF', (bytes: Buffer, end: number) => bytes.writeUInt8(3, end - 1)],
    ['WAV', (bytes: Buffer, _end: number, start: number) => lengthen(bytes, start + 4)],
    ['AVI', (bytes: Buffer, _end: number, start: number) => lengthen(bytes, start + 4)],
    ['WebP', (bytes: Buffer, _end: number, start: number) => lengthen(bytes, start + 4)],
    [
      'JPEG XL',
      (bytes: Buffer, _end: number, start: number) =>
        bytes.writeUInt32BE(bytes.readUInt32BE(start) + 2, start),
    ],
  ])('hides no added data in a %s file', async (name, change) => {
    const { bytes, mediaType } = files.find((file) => file.name === name) as MediaFile;
    const { signed } = await desk.sign(bytes, mediaType);
    const changed = Buffer.concat([signed, Buffer.alloc(8)]);
    const [found] = findContainer(signed)?.listStores(signed) ?? [];
    const [{ start, length } = { start: 0, length: 0 }] = found?.carrier ?? [];
    change(changed, start + length, start);
    for (const file of [changed, changed.subarray(0, signed.length)])
      expect((await examine(file)).kind).not.toBe('unchanged');
  });

  const lengthen = (bytes: Buffer, at: number) => bytes.writeUInt32LE(bytes.readUInt32LE(at) + 2, at);
});

describe('a hash that leaves out bytes', () => {
  /** The hash leaves out the store and the last `more` bytes before it. */
  async function signWithout(more: number): Promise<Uint8Array> {
    const { bytes: sound, mediaType } = files.find(({ name }) => name === 'WAV') as MediaFile;
    const credentials = makeSigner();
    const { signed } = await desk.sign(sound, mediaType, { signer: credentials });
    const [found] = findContainer(signed)?.listStores(signed) ?? [];
    const read = ManifestStore.read(SuperBox.fromBuffer(Uint8Array.from(found?.store ?? [])));
    const { certificate } = read.getActiveManifest()?.signature?.signatureData ?? {};
    if (certificate === undefined) throw new Error('The signed file has no certificate');
    const key = createPrivateKey(credentials.privateKeyPem).export({ type: 'pkcs8', format: 'der' });
    const signer = new LocalSigner(key, CoseAlgorithmIdentifier.ES256, certificate);
    const store = new ManifestStore();
    const manifest = store.createManifest({
      ...{ claimVersion: ClaimVersion.V2, assetFormat: 'audio/wav', instanceID: 'xmp:iid:1' },
      ...{ defaultHashAlgorithm: 'SHA-256', signer },
    });
    const hash = DataHashAssertion.create('SHA-256');
    manifest.addAssertion(hash);
    const head = Buffer.from('C2PA\0\0\0\0');
    const sizeBytes = store.measureSize();
    head.writeUInt32LE(sizeBytes, 4);
    const file = Buffer.concat([sound, head, Buffer.alloc(sizeBytes + (sizeBytes % 2))]);
    const range = { start: sound.length - more, length: file.length - sound.length + more };
    await hash.updateWithAsset(toAsset(file, { store: new Uint8Array(), range }));
    await manifest.sign(signer);
    file.set(store.getBytes(), sound.length + head.length);
    return file;
  }

  it('is not judged if it leaves out bytes outside of the store', async () => {
    expect((await examine(await signWithout(0))).kind).toBe('unchanged');
    expect(await examine(await signWithout(20))).toEqual({ kind: 'unsure' });
  });

  it('is not judged in a file with two stores', async () => {
    const file = await signWithout(0);
    const { length } = files.find(({ name }) => name === 'WAV')?.bytes ?? [];
    expect(await examine(Buffer.concat([file, file.subarray(length)]))).toEqual({ kind: 'unsure' });
  });
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
  ])('reports %s as %s like the service, with the same texts for an unchanged file', async (name, kind) => {
    const bytes = readFileSync(realFile(`signed/adobe-20220124-${name}.jpg`));
    const examined = await examine(bytes);
    const { state, display } = await ask(bytes, 'image/jpeg');
    expect(examined.kind).toBe(kind);
    expect(state).toMatch(AGREES[examined.kind]);
    if (examined.kind === 'unchanged') expect(examined.display).toEqual(display);
  });
});
