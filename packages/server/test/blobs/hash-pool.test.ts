import { Hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ContentDigests } from '@colophon/model';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHashPool, type HashPool } from '../../src/blobs/hashing/hash-pool.js';
import { createInlineHasher, type StreamHasher } from '../../src/blobs/hashing/stream-hasher.js';

const MIB = 2 ** 20;

async function digest(hasher: StreamHasher, bytes: Buffer, cut: number): Promise<ContentDigests> {
  for (let at = 0; at < bytes.length; at += cut) {
    // A socket also reuses its buffer.
    const chunk = Buffer.from(bytes.subarray(at, at + cut));
    await hasher.update(chunk);
    chunk.fill(0);
  }
  return hasher.finish();
}

describe('hashing in threads', () => {
  let pool: HashPool;
  afterEach(() => pool.close());

  it.each([0, 1, MIB, MIB + 1, 9 * MIB + 3])(
    'computes the same digests for %i bytes as the main thread',
    async (size) => {
      pool = createHashPool({ threads: 1 });
      const bytes = randomBytes(size);
      const expected = await digest(createInlineHasher(), bytes, 65_536);
      expect(await digest(pool.createHasher(undefined), bytes, 65_536)).toEqual(expected);
      expect(await digest(pool.createHasher(9 * MIB), bytes, 100_003)).toEqual(expected);
    },
  );

  it('transfers the memory of a chunk only if no other chunk shares it', async () => {
    pool = createHashPool({ threads: 1 });
    const bytes = randomBytes(3 * MIB);
    const hasher = pool.createHasher(undefined);
    const memory = new Uint8Array(bytes).buffer;
    const shared = new Uint8Array(memory, 0, 65_536);
    const owned = [new Uint8Array(bytes.subarray(65_536, MIB)), new Uint8Array(bytes.subarray(MIB, 2 * MIB))];
    for (const chunk of [shared, ...owned, new Uint8Array(memory, 2 * MIB)]) await hasher.take(chunk);
    expect(owned.map(({ length }) => length)).toEqual([0, 0]);
    expect(Buffer.from(memory).equals(bytes)).toBe(true);
    expect(await hasher.finish()).toEqual(await digest(createInlineHasher(), bytes, MIB));
  });

  it('sends at most 64 chunks per message, even if each chunk has one byte', async () => {
    pool = createHashPool({ threads: 1 });
    const sent = vi.spyOn(Worker.prototype, 'postMessage');
    const bytes = randomBytes(1_000);
    const hasher = pool.createHasher(undefined);
    for (let at = 0; at < bytes.length; at++) await hasher.take(bytes.subarray(at, at + 1));
    expect(await hasher.finish()).toEqual(await digest(createInlineHasher(), bytes, MIB));
    const moved = sent.mock.calls.map(([, chunks]) => (Array.isArray(chunks) ? chunks.length : 0));
    sent.mockRestore();
    expect(Math.max(...moved)).toBe(64);
  });

  it('hashes many contents separately, on several threads', async () => {
    pool = createHashPool({ threads: 2 });
    const contents = Array.from({ length: 12 }, (_, index) => randomBytes(2 * MIB + index));
    const digests = await Promise.all(
      contents.map((bytes) => digest(pool.createHasher(undefined), bytes, 65_536)),
    );
    for (const [index, bytes] of contents.entries()) {
      expect(digests[index]).toEqual(await digest(createInlineHasher(), bytes, MIB));
    }
  });

  it('buffers at most four blocks of a content whose thread is slow', async () => {
    pool = createHashPool({ threads: 1 });
    const hasher = pool.createHasher(undefined);
    let taken = 0;
    const feeding = (async () => {
      for (; taken < 64; taken++) await hasher.update(Buffer.alloc(MIB));
    })();
    // This thread receives answers only when it is idle.
    await Promise.resolve();
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
    expect(taken).toBeLessThanOrEqual(4);
    await feeding;
    expect((await hasher.finish()).sizeBytes).toBe(64 * MIB);
  });

  it('hashes the blocks of projects in turn, however many contents a project has', async () => {
    pool = createHashPool({ threads: 1 });
    const sent = vi.spyOn(Worker.prototype, 'postMessage');
    const bytes = randomBytes(12 * MIB);
    const feed = (project: string) => digest(pool.createHasher(undefined, project), bytes, MIB);
    const many = Array.from({ length: 12 }, () => feed('many'));
    const one = await feed('one');
    const updates = sent.mock.calls.flatMap(([message]) =>
      message.kind === 'update' ? [message.stream] : [],
    );
    sent.mockRestore();
    // The stream of the other project is the 13th. Up to four blocks can precede its first block.
    const ofOne = updates.lastIndexOf(13) + 1;
    expect(updates.filter((stream) => stream === 13)).toHaveLength(12);
    expect(updates.slice(0, ofOne).length).toBeLessThanOrEqual(4 + 2 * 12);
    const expected = await digest(createInlineHasher(), bytes, MIB);
    expect(await Promise.all([one, ...many])).toEqual(Array.from({ length: 13 }, () => expected));
  });

  it('rejects a running hash when the pool closes', async () => {
    pool = createHashPool({ threads: 1 });
    const hasher = pool.createHasher(undefined);
    await hasher.update(Buffer.alloc(3 * MIB));
    await pool.close();
    await expect(
      (async () => {
        await hasher.update(Buffer.alloc(8 * MIB));
        await hasher.finish();
      })(),
    ).rejects.toMatchObject({ code: 'Unavailable' });
  });

  it('ends a hanging thread, rejects its contents with Unavailable, and starts a new thread', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-hash-'));
    const workerFile = path.join(directory, 'hang.mjs');
    const flag = path.join(directory, 'flag');
    const real = createRequire(import.meta.url).resolve('#hash-worker');
    writeFileSync(
      workerFile,
      `import { existsSync } from 'node:fs';
       while (existsSync(${JSON.stringify(flag)}));
       await import(${JSON.stringify(pathToFileURL(real).href)});`,
    );
    pool = createHashPool({ threads: 1, silentMs: 10_000, workerFile });
    writeFileSync(flag, '');
    const hung = [2 * MIB, 12 * MIB].map((size) =>
      digest(pool.createHasher(undefined), Buffer.alloc(size), MIB),
    );
    for (const one of await Promise.allSettled(hung))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'Unavailable' } });
    rmSync(flag);
    const bytes = randomBytes(MIB);
    const expected = await digest(createInlineHasher(), bytes, MIB);
    expect(await digest(pool.createHasher(undefined), bytes, MIB)).toEqual(expected);
    rmSync(directory, { recursive: true });
  });

  it('ends an idle thread, and starts another when needed', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'colophon-hash-'));
    const workerFile = path.join(directory, 'counted.mjs');
    const starts = path.join(directory, 'starts');
    const real = createRequire(import.meta.url).resolve('#hash-worker');
    writeFileSync(
      workerFile,
      `import { appendFileSync } from 'node:fs';
       appendFileSync(${JSON.stringify(starts)}, 'x');
       await import(${JSON.stringify(pathToFileURL(real).href)});`,
    );
    pool = createHashPool({ threads: 1, idleMs: 1, workerFile });
    const bytes = randomBytes(MIB);
    const expected = await digest(createInlineHasher(), bytes, MIB);
    await vi.waitFor(async () => {
      expect(await digest(pool.createHasher(undefined), bytes, MIB)).toEqual(expected);
      expect(readFileSync(starts, 'utf8').length).toBeGreaterThan(1);
    }, 20_000);
    rmSync(directory, { recursive: true });
  });

  it('hashes a new content after 20 contents were abandoned', async () => {
    pool = createHashPool({ threads: 1 });
    for (let round = 0; round < 20; round++) {
      const hasher = pool.createHasher(undefined);
      await hasher.update(Buffer.alloc(2 * MIB));
      hasher.discard();
    }
    expect((await digest(pool.createHasher(undefined), Buffer.alloc(10), 10)).sizeBytes).toBe(10);
  });

  it('hashes no byte on the main thread', async () => {
    pool = createHashPool({ threads: 1 });
    const bytes = randomBytes(3 * MIB);
    const hashed = vi.spyOn(Hash.prototype, 'update');
    await digest(pool.createHasher(undefined), bytes, 65_536);
    expect(hashed).not.toHaveBeenCalled();
    await digest(createInlineHasher(), bytes, 65_536);
    expect(hashed).toHaveBeenCalled();
    hashed.mockRestore();
  });
});
