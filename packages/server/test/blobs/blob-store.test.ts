import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../src/blobs/blob-store.js';
import { openDirectoryStore } from '../../src/blobs/directory-store.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import { ServiceError } from '../../src/errors.js';

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

describe.each(['memory', 'directory'])('blob store contract: %s', (kind) => {
  let root: string;
  let store: BlobStore;
  beforeEach(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    store = kind === 'memory' ? createMemoryStore(2 ** 24) : await openDirectoryStore(root);
  });
  afterEach(async () => {
    await store.close();
    rmSync(root, { recursive: true });
  });
  const drafts = () => (kind === 'memory' ? [] : readdirSync(path.join(root, 'tmp')));

  it.each([0, 1, 9_999, 10_000, 300_001])('gives back the %i bytes that were committed', async (size) => {
    const bytes = randomBytes(size);
    const contentDigest = await put(store, 'p', bytes);
    expect(await store.readSize({ projectId: 'p', contentDigest })).toBe(size);
    expect((await get(store, { projectId: 'p', contentDigest }))?.equals(bytes)).toBe(true);
    expect(drafts()).toEqual([]);
  });

  it('gives any range, across the borders of what was written', async () => {
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

  it('keeps nothing of what was discarded, and shows nothing before commit', async () => {
    const bytes = randomBytes(100);
    const ref = { projectId: 'p', contentDigest: digestOf(bytes) };
    const writer = await store.createWriter('p');
    await writer.write(bytes);
    expect(await store.readSize(ref)).toBeUndefined();
    await writer.discard();
    expect(await store.readSize(ref)).toBeUndefined();
    expect(drafts()).toEqual([]);
  });

  it('discard after commit keeps the content, and committing the same content twice keeps one', async () => {
    const bytes = randomBytes(100);
    for (let round = 0; round < 2; round++) {
      const writer = await store.createWriter('p');
      await writer.write(bytes);
      await writer.commit(digestOf(bytes));
      await writer.discard();
    }
    expect(await store.readSize({ projectId: 'p', contentDigest: digestOf(bytes) })).toBe(100);
    expect(drafts()).toEqual([]);
  });

  it('does not show one project the content of another', async () => {
    const contentDigest = await put(store, 'p', randomBytes(10));
    expect(await store.readSize({ projectId: 'q', contentDigest })).toBeUndefined();
    expect(await get(store, { projectId: 'q', contentDigest })).toBeUndefined();
  });

  it('does not change with the buffer that the writer was given', async () => {
    const bytes = Buffer.from('stays as it was');
    const contentDigest = digestOf(bytes);
    const writer = await store.createWriter('p');
    await writer.write(bytes);
    bytes.fill(0);
    await writer.commit(contentDigest);
    expect((await get(store, { projectId: 'p', contentDigest }))?.toString()).toBe('stays as it was');
  });

  it('20 concurrent commits of one content keep one whole copy', async () => {
    const bytes = randomBytes(50_000);
    await Promise.all(Array.from({ length: 20 }, () => put(store, 'p', bytes)));
    expect((await get(store, { projectId: 'p', contentDigest: digestOf(bytes) }))?.equals(bytes)).toBe(true);
    expect(drafts()).toEqual([]);
  });
});

describe('memory store', () => {
  it('takes no more memory for content that comes byte by byte', async () => {
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

  it('refuses what exceeds its capacity with the remedy, and counts discarded bytes as free', async () => {
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

describe('directory store', () => {
  it('removes the unfinished uploads of a process that died long ago, and no others', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    const { mkdirSync, utimesSync, writeFileSync } = await import('node:fs');
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
