import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/blobs/blob-store.js';
import { openDirectoryStore } from '../../src/blobs/directory/directory-store.js';
import { createMemoryStore, HALF_OF_THE_REST } from '../../src/blobs/memory-store.js';
import { ServiceError } from '../../src/errors.js';
import { readStored } from '../../src/records/matching/describe-content.js';
import { type Candidate, KINDS } from '../support/blob-stores.js';
import { countTurns } from '../support/count-turns.js';
import { hasSwift } from '../support/s3/servers.js';

const MEBIBYTE = 2 ** 20;

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function put(store: BlobStore, projectId: string, bytes: Buffer): Promise<string> {
  const writer = await store.createWriter(projectId);
  for (let offset = 0; offset < bytes.length; offset += 10_000) {
    await writer.write(bytes.subarray(offset, offset + 10_000));
  }
  await writer.commit(digestOf(bytes));
  return digestOf(bytes);
}

async function get(store: BlobStore, ...[ref, range]: Parameters<BlobStore['readContent']>) {
  const stream = await store.readContent(ref, range);
  if (stream === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe.each(Object.keys(KINDS))('blob store contract: %s', (kind) => {
  const isMissing = kind.endsWith('Swift') && !hasSwift();
  let candidate: Candidate;
  let store: BlobStore;
  beforeAll(async () => {
    if (isMissing) return;
    candidate = (await KINDS[kind]?.()) as Candidate;
    store = await candidate.open();
  });
  afterAll(async () => {
    if (isMissing) return;
    await store.close();
    await candidate.close();
  });
  beforeEach(({ skip }) => skip(isMissing, 'OpenStack Swift is not installed'));
  const drafts = () => candidate.drafts();

  it('reads, replaces and removes documents, and keeps them separate from contents', async () => {
    expect(await store.readDocument('log-head-1')).toBeUndefined();
    await store.removeDocument('log-head-1');
    for (const text of ['first', 'second']) {
      await store.writeDocument('log-head-1', Buffer.from(text));
      expect((await store.readDocument('log-head-1'))?.toString()).toBe(text);
    }
    for await (const { projectId } of store.listContents()) expect(projectId).not.toContain('document');
    await store.removeDocument('log-head-1');
    expect(await store.readDocument('log-head-1')).toBeUndefined();
    expect(await drafts()).toEqual([]);
  });

  it.each([0, 1, 10_000, MEBIBYTE])(
    'returns %i bytes after concurrent and repeated calls that each store all of them',
    async (size) => {
      const bytes = randomBytes(size);
      const contentDigest = digestOf(bytes);
      const around = Buffer.concat([randomBytes(5), bytes, randomBytes(5)]);
      const part = around.subarray(5, 5 + size);
      const first = store.put({ projectId: 'p', contentDigest }, part);
      await Promise.all([
        first,
        ...Array.from({ length: 5 }, () => store.put({ projectId: 'p', contentDigest }, part)),
      ]);
      await store.put({ projectId: 'p', contentDigest }, part);
      around.fill(0);
      expect(await store.readSize({ projectId: 'p', contentDigest })).toBe(size);
      expect((await get(store, { projectId: 'p', contentDigest }))?.equals(bytes)).toBe(true);
      expect(await store.readSize({ projectId: 'q', contentDigest })).toBeUndefined();
      expect(await drafts()).toEqual([]);
    },
  );

  it('keeps 100 concurrently stored contents separate', async () => {
    const contents = Array.from({ length: 100 }, (_, index) => randomBytes(1000 + index));
    await Promise.all(
      contents.map((bytes) => store.put({ projectId: 'p', contentDigest: digestOf(bytes) }, bytes)),
    );
    for (const bytes of contents)
      expect((await get(store, { projectId: 'p', contentDigest: digestOf(bytes) }))?.equals(bytes)).toBe(
        true,
      );
    expect(await drafts()).toEqual([]);
  });

  it.each([0, 1, 9_999, 10_000, 300_001, 5 * MEBIBYTE, 11 * MEBIBYTE + 1])(
    'returns the %i bytes that were committed',
    async (size) => {
      const bytes = randomBytes(size);
      const contentDigest = await put(store, 'p', bytes);
      expect(await store.readSize({ projectId: 'p', contentDigest })).toBe(size);
      expect((await get(store, { projectId: 'p', contentDigest }))?.equals(bytes)).toBe(true);
      expect(await drafts()).toEqual([]);
    },
  );

  it('returns four ranges, two of which cross borders of the written chunks', async () => {
    const bytes = randomBytes(50_000);
    const contentDigest = await put(store, 'p', bytes);
    for (const [start, end] of [
      [0, 0],
      [9_999, 10_000],
      [20_000, 49_999],
      [49_999, 49_999],
    ] as const) {
      const part = await get(store, { projectId: 'p', contentDigest }, { start, end });
      expect(part?.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  it.each([100, 11 * MEBIBYTE])(
    'stores none of %i discarded bytes, and shows nothing before commit',
    async (size) => {
      const bytes = randomBytes(size);
      const ref = { projectId: 'p', contentDigest: digestOf(bytes) };
      const writer = await store.createWriter('p');
      await writer.write(bytes);
      expect(await store.readSize(ref)).toBeUndefined();
      expect(await get(store, ref)).toBeUndefined();
      await writer.discard();
      expect(await store.readSize(ref)).toBeUndefined();
      expect(await drafts()).toEqual([]);
    },
  );

  it.each([100, 6 * MEBIBYTE])(
    'keeps the content of %i bytes after a late discard, and one copy after a second commit',
    async (size) => {
      const bytes = randomBytes(size);
      for (let round = 0; round < 2; round++) {
        const writer = await store.createWriter('p');
        await writer.write(bytes);
        await writer.commit(digestOf(bytes));
        await writer.discard();
      }
      expect(await store.readSize({ projectId: 'p', contentDigest: digestOf(bytes) })).toBe(size);
      expect(await drafts()).toEqual([]);
    },
  );

  it('does not show one project the content of another', async () => {
    const contentDigest = await put(store, 'p', randomBytes(10));
    expect(await store.readSize({ projectId: 'q', contentDigest })).toBeUndefined();
    expect(await get(store, { projectId: 'q', contentDigest })).toBeUndefined();
  });

  it("copies the caller's buffer, so later changes of this buffer have no effect", async () => {
    const bytes = Buffer.from('stays as it was');
    const contentDigest = digestOf(bytes);
    const writer = await store.createWriter('p');
    await writer.write(bytes);
    bytes.fill(0);
    await writer.commit(contentDigest);
    expect((await get(store, { projectId: 'p', contentDigest }))?.toString()).toBe('stays as it was');
  });

  it('stores one content completely in 20 concurrent commits', async () => {
    const bytes = randomBytes(50_000);
    await Promise.all(Array.from({ length: 20 }, () => put(store, 'p', bytes)));
    expect((await get(store, { projectId: 'p', contentDigest: digestOf(bytes) }))?.equals(bytes)).toBe(true);
    expect(await drafts()).toEqual([]);
  });

  it('lists every content once with its project, size and time, and no unfinished upload', async () => {
    const projectId = `lists-${kind.replaceAll(/\W/g, '')}`;
    const bytes = randomBytes(20);
    const contentDigest = await put(store, projectId, bytes);
    await put(store, projectId, bytes);
    const unfinished = await store.createWriter(projectId);
    await unfinished.write(randomBytes(6 * MEBIBYTE));
    const listed = [];
    for await (const blob of store.listContents()) if (blob.projectId === projectId) listed.push(blob);
    await unfinished.discard();
    expect(listed).toMatchObject([{ projectId, contentDigest, sizeBytes: 20, storedAt: expect.any(Date) }]);
    expect(Math.abs(Date.now() - Number(listed[0]?.storedAt))).toBeLessThan(120_000);
  });

  it('lists all of 150 contents', async () => {
    const projectId = `lists-many-${kind.replaceAll(/\W/g, '')}`;
    const digests = [];
    for (let count = 0; count < 150; count++) digests.push(await put(store, projectId, randomBytes(20)));
    const listed = [];
    for await (const blob of store.listContents())
      if (blob.projectId === projectId) listed.push(blob.contentDigest);
    expect(listed.sort()).toEqual(digests.sort());
  });

  it('removes content permanently, and accepts absent content', async () => {
    const contentDigest = await put(store, 'p', randomBytes(30));
    const other = await put(store, 'p', randomBytes(31));
    for (let round = 0; round < 2; round++) await store.remove({ projectId: 'p', contentDigest });
    expect(await store.readSize({ projectId: 'p', contentDigest })).toBeUndefined();
    expect(await store.readSize({ projectId: 'p', contentDigest: other })).toBe(31);
  });

  it('passes its own check', async () => {
    await store.check();
  });
});

describe('memory store', () => {
  it('uses less than 200 MiB for 2 MB that arrive byte by byte', async () => {
    const store = createMemoryStore(2 ** 24);
    const writer = await store.createWriter('p');
    const before = process.memoryUsage().rss;
    const one = new Uint8Array(1);
    for (let count = 0; count < 2_000_000; count++) await writer.write(one);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    await writer.commit(digestOf(Buffer.alloc(2_000_000)));
    expect(await store.readSize({ projectId: 'p', contentDigest: digestOf(Buffer.alloc(2_000_000)) })).toBe(
      2_000_000,
    );
  });

  it('lets other requests run while its content is read', async () => {
    const store = createMemoryStore(16 * MEBIBYTE);
    const contentDigest = await put(store, 'one', Buffer.alloc(8 * MEBIBYTE));
    const turns = countTurns();
    await get(store, { projectId: 'one', contentDigest }).finally(() => turns.stop());
    expect(turns.count).toBeGreaterThanOrEqual(8);
  });

  it('rejects content beyond its capacity with the remedy, and counts discarded bytes as free', async () => {
    const store = createMemoryStore(100);
    const writer = await store.createWriter('p');
    await writer.write(Buffer.alloc(60));
    const second = await store.createWriter('p');
    const refusal = await second.write(Buffer.alloc(60)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({
      code: 'PayloadTooLarge',
      recovery: expect.stringContaining('MEMORY_STORE_BYTES'),
    });
    await writer.discard();
    await second.write(Buffer.alloc(60));
  });
});

describe('memory store of several projects', () => {
  it('gives each further project half of the free capacity, and states this limit in the error', async () => {
    const store = createMemoryStore(1_000, HALF_OF_THE_REST);
    const fill = async (projectId: string) => {
      const writer = await store.createWriter(projectId);
      let sizeBytes = 0;
      for (;;) {
        const refusal = await writer.write(Buffer.alloc(1)).catch((error: unknown) => error);
        if (refusal !== undefined) return { writer, sizeBytes, refusal };
        sizeBytes += 1;
      }
    };
    const filled = [];
    for (const projectId of ['a', 'b', 'c']) filled.push(await fill(projectId));
    expect(filled.map(({ sizeBytes }) => sizeBytes)).toEqual([500, 250, 125]);
    expect(filled[1]?.refusal).toMatchObject({
      code: 'PayloadTooLarge',
      bound: 'MEMORY_STORE_BYTES',
      message: expect.stringMatching(
        /250 bytes .* limit is 250 bytes: .* 1000 bytes .*\(MEMORY_STORE_BYTES\)/,
      ),
      recovery: expect.stringContaining('DATA_DIR'),
    });
    for (const { writer } of filled) await writer.discard();
    expect((await fill('d')).sizeBytes).toBe(500);
  });

  const putInto = (store: BlobStore) => async (projectId: string, name: number, sizeBytes: number) => {
    const bytes = Buffer.alloc(sizeBytes, name);
    const ref = { projectId, contentDigest: digestOf(bytes) };
    await store.put(ref, bytes);
    return ref;
  };

  it('evicts released content when memory is short: first of the same project, longest unread first', async () => {
    const store = createMemoryStore(1_000, HALF_OF_THE_REST);
    const put = putInto(store);
    const [first, second, kept] = [await put('a', 1, 100), await put('a', 2, 100), await put('a', 3, 100)];
    const others = await put('b', 4, 350);
    for (const ref of [first, second, others]) store.release(ref);
    await store.readContent(first);
    const left = async () =>
      (await Promise.all([first, second, kept, others].map(store.readSize))).map(
        (size) => size !== undefined,
      );
    await put('a', 5, 300);
    expect(await left()).toEqual([true, false, true, true]);
    await put('c', 6, 300);
    expect(await left()).toEqual([false, false, true, false]);
    await expect(put('c', 7, 400)).rejects.toMatchObject({ code: 'PayloadTooLarge' });
    expect(await left()).toEqual([false, false, true, false]);
  });

  it('keeps content of other projects if an upload fits, or exceeds the share of its project', async () => {
    const store = createMemoryStore(1_000, HALF_OF_THE_REST);
    const put = putInto(store);
    const others = [];
    for (const name of [1, 2, 3, 4]) others.push(await put('b', name, 50));
    for (const ref of others) store.release(ref);
    const writer = await store.createWriter('a');
    for (let sizeBytes = 0; sizeBytes < 500; sizeBytes += 50) await writer.write(Buffer.alloc(50));
    await expect(writer.write(Buffer.alloc(50))).rejects.toMatchObject({ code: 'PayloadTooLarge' });
    await expect(put('c', 5, 900)).rejects.toMatchObject({ code: 'PayloadTooLarge' });
    expect(await Promise.all(others.map(store.readSize))).toEqual([50, 50, 50, 50]);
  });
});

describe('directory store', () => {
  it('reports for each content whether it was stored, and leaves no draft of contents that failed', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    const store = await openDirectoryStore(root);
    const put = (bytes: Buffer) => store.put({ projectId: 'p', contentDigest: digestOf(bytes) }, bytes);
    // Each content has its own directory.
    const contents = Array.from({ length: 6 }, (_, place) => Buffer.from(`content ${place}`));
    const [busy, refused, ...others] = contents as [Buffer, Buffer];
    // A file takes the place of the directory of the second content.
    const hex = digestOf(refused).slice('sha256:'.length);
    mkdirSync(path.join(root, 'p', 'sha256'), { recursive: true });
    writeFileSync(path.join(root, 'p', 'sha256', hex.slice(0, 2)), '');
    const outcomes = await Promise.allSettled([busy, refused, ...others].map(put));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      ...Array(4).fill('fulfilled'),
    ]);
    expect(readdirSync(path.join(root, 'tmp'))).toEqual([]);
    await store.close();
    rmSync(root, { recursive: true });
  });

  it('stores pending content before it closes, in files that only their owner can read', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    const store = await openDirectoryStore(root);
    const contents = Array.from({ length: 100 }, () => randomBytes(100_000));
    const stored = contents.map((bytes) =>
      store.put({ projectId: 'p', contentDigest: digestOf(bytes) }, bytes),
    );
    await store.close();
    await Promise.all(stored);
    const modes = readdirSync(path.join(root, 'p'), { recursive: true, withFileTypes: true }).map((entry) =>
      (statSync(path.join(entry.path, entry.name)).mode & 0o777).toString(8),
    );
    expect(new Set(modes)).toEqual(new Set(['700', '600']));
    rmSync(root, { recursive: true });
  });

  it('yields 4 MiB in only four chunks when the service reads the content to describe it', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    const store = await openDirectoryStore(root);
    const bytes = randomBytes(4 * MEBIBYTE);
    const ref = { projectId: 'p', contentDigest: await put(store, 'p', bytes) };
    let chunks = 0;
    const readContent: BlobStore['readContent'] = async (...read) => {
      const stream = await store.readContent(...read);
      return stream && counted(stream);
    };
    async function* counted(stream: AsyncIterable<Uint8Array>) {
      for await (const chunk of stream) {
        chunks++;
        yield chunk;
      }
    }
    const { signal } = new AbortController();
    const stored = await readStored({ ...store, readContent }, ref, { start: 1, end: bytes.length, signal });
    expect(bytes.subarray(1).equals(stored ?? Buffer.alloc(0))).toBe(true);
    expect(chunks).toBe(4);
    await store.close();
    rmSync(root, { recursive: true });
  });

  it('removes an unfinished upload after 25 hours, and not after one hour', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    const { utimesSync } = await import('node:fs');
    mkdirSync(path.join(root, 'tmp'));
    for (const [name, hours] of [
      ['old', 25],
      ['young', 1],
    ] as const) {
      const file = path.join(root, 'tmp', name);
      writeFileSync(file, name);
      const then = new Date(Date.now() - hours * 3_600_000);
      utimesSync(file, then, then);
    }
    await openDirectoryStore(root);
    expect(readdirSync(path.join(root, 'tmp'))).toEqual(['young']);
    rmSync(root, { recursive: true });
  });
});
