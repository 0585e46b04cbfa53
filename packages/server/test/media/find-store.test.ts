import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/media/byte-source.js';
import { findManifest, MAX_STORE_BYTES } from '../../src/media/find-manifest.js';
import { cutActiveManifest, findStore, isEncoded, listManifests } from '../../src/media/find-store.js';
import { createPassTimes } from '../../src/media/pass-times.js';
import { countTurns } from '../support/count-turns.js';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { makeMediaFiles } from '../support/media-files.js';
import { openScheduler } from '../support/scheduler.js';

const files = await makeMediaFiles();
const times = createPassTimes();

/** No box has the size of these chunks. */
function toSource(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    async *read(start, end) {
      for (let at = start; at < end; at += 997) yield bytes.subarray(at, Math.min(at + 997, end));
    },
  };
}

async function readAll(source: ByteSource | undefined): Promise<Buffer | undefined> {
  if (source === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read(0, source.sizeBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Ends with the label in the description box. */
function headOfStore(sizeBytes: number): Buffer {
  const head = Buffer.from(
    '000000006a756d620000001e6a756d646332706100110010800000aa00389b71036332706100',
    'hex',
  );
  head.writeUInt32BE(sizeBytes, 0);
  return head;
}

/** Each manifest has an assertion of 200 times `x`. */
function toStore(...labels: string[]): Buffer {
  const box = (type: string, ...content: Buffer[]) => {
    const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), ...content]);
    bytes.writeUInt32BE(bytes.length, 0);
    return bytes;
  };
  const describe = (label: string) => box('jumd', Buffer.alloc(16), Buffer.from(`\x03${label}\0`));
  const manifests = labels.map((label) => box('jumb', describe(label), box('json', Buffer.alloc(200, 'x'))));
  const head = headOfStore(38 + Buffer.concat(manifests).length);
  return Buffer.concat([head, ...manifests]);
}

/** The head of the store is in one sub-block, and each further byte in a separate one. */
function toGif(blocks: number): { gif: Buffer; store: Buffer } {
  const head = headOfStore(38 + blocks - 1);
  const rest = Buffer.alloc(blocks - 1, 'x');
  const split = Buffer.alloc(2 * rest.length, Buffer.from([1, rest[0] ?? 0]));
  const gif = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([head.length]),
    head,
    split,
    Buffer.alloc(1),
  ]);
  return { gif, store: Buffer.concat([head, rest]) };
}

async function withTurns<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  const turns = countTurns();
  const result = await work().finally(() => turns.stop());
  return { turns: turns.count, result };
}

function areBoxesWhole(box: Buffer): boolean {
  if (box.toString('latin1', 4, 8) !== 'jumb') return true;
  let at = 8;
  while (at + 8 <= box.length) {
    const end = at + box.readUInt32BE(at);
    if (end < at + 8 || end > box.length || !areBoxesWhole(box.subarray(at, end))) return false;
    at = end;
  }
  return at === box.length;
}

const extractStore = async (bytes: Uint8Array, mediaType: string) =>
  readAll(await findStore(toSource(bytes), mediaType));
const activeManifestOf = async (bytes: Uint8Array) => {
  const store = toSource(bytes);
  const manifests = await listManifests(store);
  return manifests && readAll(cutActiveManifest(store, manifests));
};

describe('the manifest store of a file', () => {
  let desk: MediaDesk;
  beforeAll(async () => {
    desk = await openMediaDesk({ times });
  });
  afterAll(() => desk.close());

  it.each(files)(
    'is extracted whole from $name, and its active manifest is found',
    async ({ bytes, mediaType }) => {
      expect(await extractStore(bytes, mediaType)).toBeUndefined();
      const { signed } = await desk.sign(bytes, mediaType);
      const { store } = await desk.readStore(signed, mediaType);
      const label = store.active_manifest ?? '';
      const extracted = await extractStore(signed, mediaType);
      expect(extracted?.readUInt32BE(0)).toBe(extracted?.length);
      expect(extracted?.includes(label)).toBe(true);
      expect(extracted && areBoxesWhole(extracted)).toBe(true);
      const active = extracted && (await activeManifestOf(extracted));
      expect(active?.toString('latin1', 4, 8)).toBe('jumb');
      expect(active?.includes(label)).toBe(true);
      expect(active?.length).toBeLessThan(extracted?.length ?? 0);
    },
  );

  it.each(files.filter(({ mediaType }) => isEncoded(mediaType)))(
    'is found in $name by a media thread, if one of its manifests has the requested label',
    async ({ bytes, mediaType }) => {
      const { signed, store } = await desk.sign(bytes, mediaType);
      const find = (label = '', activeOnly = false) =>
        desk.engine.find({ file: toSource(signed), mediaType, label, activeOnly });
      const before = times.sums.get('find')?.count ?? 0;
      const found = await find(store.active_manifest);
      expect(times.sums.get('find')?.count).toBe(before + 1);
      const extracted = await extractStore(signed, mediaType);
      expect(found?.bytes.bytes).toEqual(extracted);
      expect(found?.sha256).toBe(
        createHash('sha256')
          .update(extracted ?? '')
          .digest('hex'),
      );
      const active = await find(store.active_manifest, true);
      expect(active).toBeDefined();
      expect(active?.bytes.bytes).toEqual(extracted && (await activeManifestOf(extracted)));
      expect(await find('urn:c2pa:none')).toBeUndefined();
    },
  );

  it('is not searched in a text of more than 8 MiB, or after the caller has left', async () => {
    const wanted = { mediaType: 'text/html', label: 'a', activeOnly: false };
    let reads = 0;
    const leaving = new AbortController();
    const toFile = (sizeBytes: number): ByteSource => ({
      sizeBytes,
      async *read() {
        for (; ; reads++) {
          yield Buffer.alloc(1_000);
          leaving.abort(new Error('the caller left'));
        }
      },
    });
    expect(await desk.engine.find({ ...wanted, file: toFile(8 * 2 ** 20 + 1) })).toBeUndefined();
    const left = desk.engine.find({ ...wanted, file: toFile(8 * 2 ** 20), signal: leaving.signal });
    await expect(left).rejects.toThrow('the caller left');
    expect(reads).toBeLessThan(2);
  });

  it('is not found if the file sends no bytes within the time limit, and then the slot is free', async () => {
    const scheduler = openScheduler({ media: 3 });
    const quick = await openMediaDesk({ timeoutMs: 50, scheduler });
    const silent: ByteSource = {
      sizeBytes: 1_000,
      async *read() {
        await new Promise(() => {});
        yield Buffer.alloc(0);
      },
    };
    const found = quick.engine.find({ file: silent, mediaType: 'text/html', label: 'a', activeOnly: false });
    await expect(found).rejects.toMatchObject({ code: 'Timeout' });
    expect(scheduler.counts().media.running).toBe(0);
    await quick.close();
  });

  it.each([
    ['the label of another manifest', 'urn:c2pa:first'],
    ['the text of an assertion', 'x'.repeat(200)],
    ['a part of its label', 'urn:c2pa'],
  ])('is not returned as active manifest for %s', async (_name, label) => {
    const store = toStore('urn:c2pa:first', 'urn:c2pa:second');
    const find = (label: string, activeOnly: boolean) =>
      findManifest(toSource(store), { mediaType: 'image/png', label, activeOnly });
    expect(await find(label, true)).toBeUndefined();
    expect(await readAll((await find('urn:c2pa:first', false))?.bytes)).toEqual(store);
    const active = toStore('urn:c2pa:second').subarray(38);
    expect(await readAll((await find('urn:c2pa:second', true))?.bytes)).toEqual(active);
    if (label !== 'urn:c2pa:first') expect(await find(label, false)).toBeUndefined();
  });

  it('is found by a label of 250 bytes, and not by a longer label', async () => {
    const find = (label: string) =>
      findManifest(toSource(toStore(label)), { mediaType: 'image/png', label, activeOnly: true });
    expect(await find('y'.repeat(250))).toBeDefined();
    expect(await find('y'.repeat(251))).toBeUndefined();
  });

  it('is refused above 32 MiB, and not read', async () => {
    const sizeBytes = MAX_STORE_BYTES + 1;
    let readBytes = 0;
    const file: ByteSource = {
      sizeBytes,
      async *read(start, end) {
        const chunk = Buffer.alloc(2 ** 20);
        if (start === 0) headOfStore(sizeBytes).copy(chunk);
        for (let at = start; at < end; at += chunk.length, readBytes += chunk.length)
          yield chunk.subarray(0, Math.min(chunk.length, end - at));
      },
    };
    const found = findManifest(file, { mediaType: 'image/png', label: 'a', activeOnly: false });
    await expect(found).rejects.toMatchObject({
      code: 'NotFound',
      message: 'The manifest store of this file has 33554433 bytes. The limit is 33554432 bytes.',
    });
    expect(readBytes).toBeLessThanOrEqual(2 ** 21);
  });

  it('is absent in truncated segments and boxes', async () => {
    const segment = Buffer.from('ffd8ffeb00044a50ffd9', 'hex');
    expect(await extractStore(segment, 'image/jpeg')).toBeUndefined();
    for (let more = 1; more < 8; more++)
      expect(await activeManifestOf(Buffer.concat([Buffer.alloc(8), Buffer.alloc(more)]))).toBeUndefined();
  });

  it('is joined if a JPEG splits it over several segments', async () => {
    const jpeg = files.find(({ mediaType }) => mediaType === 'image/jpeg');
    if (jpeg === undefined) throw new Error('no JPEG');
    const plain = define();
    const large = { label: 'org.example.large', data: { text: 'x'.repeat(150_000) } };
    const definition = { ...plain, assertions: [...(plain.assertions as object[]), large] };
    const { signed } = await desk.sign(jpeg.bytes, jpeg.mediaType, { definition });
    const extracted = await extractStore(signed, jpeg.mediaType);
    expect(extracted?.length).toBeGreaterThan(150_000);
    expect(extracted?.includes('x'.repeat(150_000))).toBe(true);
    expect(extracted?.readUInt32BE(0)).toBe(extracted?.length);
  });

  it.each([
    ['JPEG of very many segments', 'image/jpeg', 'ffd8', 'ffe00002'],
    ['store of very many boxes', undefined, '0000000000000000', '000000086a756d62'],
  ])(
    'is absent in a %s, and the search reads little of these bytes',
    async (_name, mediaType, begin, repeated) => {
      const bytes = Buffer.concat([Buffer.from(begin, 'hex'), Buffer.alloc(8_000_000, repeated, 'hex')]);
      let readBytes = 0;
      const source: ByteSource = {
        sizeBytes: bytes.length,
        async *read(start, end) {
          for await (const chunk of toSource(bytes).read(start, end)) {
            readBytes += chunk.length;
            yield chunk;
          }
        },
      };
      const found = mediaType === undefined ? listManifests(source) : findStore(source, mediaType);
      expect(await found).toBeUndefined();
      expect(readBytes).toBeLessThan(300_000);
    },
  );

  it('is joined from very many sub-blocks of a GIF in few chunks, while other requests run', async () => {
    const { gif, store } = toGif(16_000);
    const { turns, result } = await withTurns(() => findStore(toSource(gif), 'image/gif'));
    expect(turns).toBeGreaterThan(25);
    const read = await withTurns(() => readAll(result));
    expect(read.result?.equals(store)).toBe(true);
    expect(read.turns).toBeGreaterThan(25);
    let chunks = 0;
    for await (const chunk of result?.read(0, store.length) ?? []) chunks += chunk.length > 0 ? 1 : 0;
    expect(chunks).toBeLessThan(100);
    for (const [start, end] of [
      [0, 8],
      [37, 40],
      [1_000, 1_001],
      [900, 15_000],
      [store.length - 1, store.length + 5],
      [5, 5],
    ] as const) {
      const parts: Uint8Array[] = [];
      for await (const chunk of result?.read(start, end) ?? []) parts.push(chunk);
      expect(Buffer.concat(parts).equals(store.subarray(start, end))).toBe(true);
    }
  });

  it('is absent in a GIF of more than 16,384 sub-blocks', async () => {
    expect(await extractStore(toGif(16_384).gif, 'image/gif')).toBeDefined();
    expect(await extractStore(toGif(16_385).gif, 'image/gif')).toBeUndefined();
  });

  it('is searched in a JPEG of very many segments while other requests run', async () => {
    const jpeg = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(4 * 50_000, 'ffe00002', 'hex')]);
    const { turns } = await withTurns(() => findStore(toSource(jpeg), 'image/jpeg'));
    expect(turns).toBeGreaterThan(90);
  });

  it('is not extracted if it is truncated', async () => {
    const png = files.find(({ mediaType }) => mediaType === 'image/png');
    if (png === undefined) throw new Error('no PNG');
    const { signed } = await desk.sign(png.bytes, png.mediaType);
    const at = signed.indexOf('jumdc2pa');
    expect(await extractStore(signed.subarray(0, at + 100), png.mediaType)).toBeUndefined();
  });
});
