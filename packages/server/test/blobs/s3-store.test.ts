import { createHash, randomBytes } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobRef, BlobStore } from '../../src/blobs/blob-store.js';
import { openS3Store } from '../../src/blobs/s3/open-s3-store.js';
import type { Gate } from '../support/s3/conditional-gate.js';
import { createTestClient, hasSwift, type S3Server, startS3rver, startSwift } from '../support/s3/servers.js';

const MEBIBYTE = 2 ** 20;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const digestOf = (bytes: Uint8Array) => `sha256:${sha256(bytes)}`;

function openStore(place: S3Server['place'], reportFailure = (_: unknown) => {}): Promise<BlobStore> {
  return openS3Store({ ...place, maxContentBytes: 2 ** 30, partBytes: 5 * MEBIBYTE, reportFailure });
}

async function put(store: BlobStore, bytes: Uint8Array): Promise<BlobRef> {
  const writer = await store.createWriter('p');
  await writer.write(bytes);
  await writer.commit(digestOf(bytes));
  return { projectId: 'p', contentDigest: digestOf(bytes) };
}

async function drain(content: AsyncIterable<Uint8Array> | undefined) {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of content ?? []) chunks.push(chunk);
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
  return { bytes: Buffer.concat(chunks), error: undefined };
}

describe('S3 store, on s3rver behind a proxy', () => {
  let server: S3Server;
  let gate: Gate;
  let store: BlobStore;
  beforeAll(async () => {
    server = await startS3rver();
    gate = server.gate as Gate;
    store = await openStore(server.place);
  });
  afterAll(async () => {
    await store.close();
    await server.close();
  });

  async function spoil({ projectId, contentDigest }: BlobRef, bytes: Uint8Array): Promise<void> {
    const hex = contentDigest.slice('sha256:'.length);
    const Key = `${projectId}/sha256/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex}`;
    const client = createTestClient(server.place);
    await client.send(new PutObjectCommand({ Bucket: server.place.bucket, Key, Body: bytes }));
    client.destroy();
  }

  it('stores content only if it is absent, with its SHA-256 in the request and without an encoding', async () => {
    const bytes = randomBytes(1000);
    gate.seen.length = 0;
    await put(store, bytes);
    await put(store, bytes);
    const puts = gate.seen.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(2);
    for (const { headers, sizeBytes } of puts) {
      expect(headers).toMatchObject({ 'if-none-match': '*', 'x-amz-content-sha256': sha256(bytes) });
      expect(headers['content-encoding']).toBeUndefined();
      expect(sizeBytes).toBe(1000);
    }
  });

  it('serves further requests while 256 readers, the maximum of a project, pause', async () => {
    const ref = await put(store, randomBytes(MEBIBYTE / 4));
    const readers = await Promise.all(
      Array.from({ length: 256 }, async () => {
        const content = (await store.readContent(ref)) ?? [];
        const reader = (content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
        await reader.next();
        return reader;
      }),
    );
    expect(await store.readSize(ref)).toBe(MEBIBYTE / 4);
    for (const reader of readers) await reader.return?.();
  });

  it('needs little memory for uploads that have not sent a whole part yet', async () => {
    const bytes = randomBytes(4 * MEBIBYTE);
    const before = process.memoryUsage().arrayBuffers;
    const writers = await Promise.all(Array.from({ length: 32 }, () => store.createWriter('p')));
    for (const writer of writers) await writer.write(bytes);
    expect((process.memoryUsage().arrayBuffers - before) / MEBIBYTE).toBeLessThan(32);
    for (const writer of writers) await writer.discard();
  });

  it('sends the SHA-256 of a part, and does not copy content that is already stored', async () => {
    const bytes = randomBytes(11 * MEBIBYTE);
    gate.seen.length = 0;
    await put(store, bytes);
    const parts = gate.seen.filter(({ path }) => path.includes('partNumber='));
    expect(parts.map(({ sizeBytes }) => sizeBytes / MEBIBYTE)).toEqual([5, 5, 1]);
    expect(parts[0]?.headers['x-amz-content-sha256']).toBe(sha256(bytes.subarray(0, 5 * MEBIBYTE)));
    gate.seen.length = 0;
    await put(store, bytes);
    expect(gate.seen.filter(({ headers }) => headers['x-amz-copy-source'] !== undefined)).toEqual([]);
    expect(gate.openUploads.size).toBe(0);
  });

  it('stores content if the service lacks conditional puts (501) or reports a conflict (409)', async () => {
    for (const status of [501, 409]) {
      gate.failNext(({ headers }) => headers['if-none-match'] === '*', status);
      const bytes = randomBytes(100);
      expect(await store.readSize(await put(store, bytes))).toBe(100);
    }
  });

  it('retries a part that the service failed to store', async () => {
    gate.failNext(({ path }) => path.includes('partNumber=2'), 503);
    const bytes = randomBytes(11 * MEBIBYTE);
    const ref = await put(store, bytes);
    const { bytes: stored } = await drain(await store.readContent(ref));
    expect(stored.equals(bytes)).toBe(true);
  });

  it('fails with Unavailable if a part cannot be sent, and aborts the upload', async () => {
    gate.failNext(({ path }) => path.includes('partNumber=1'), 503, 100);
    const writer = await store.createWriter('p');
    const bytes = randomBytes(16 * MEBIBYTE);
    const written = writer.write(bytes).then(() => writer.commit(digestOf(bytes)));
    await expect(written).rejects.toMatchObject({ code: 'Unavailable' });
    await writer.discard();
    expect(gate.openUploads.size).toBe(0);
    gate.mend();
    expect(await store.readSize({ projectId: 'p', contentDigest: digestOf(bytes) })).toBeUndefined();
  });

  it.each([1, 200_000, 6 * MEBIBYTE])('never delivers %i altered bytes as complete content', async (size) => {
    const bytes = randomBytes(size);
    const ref = await put(store, bytes);
    const altered = Buffer.from(bytes);
    altered[0] = (altered[0] ?? 0) ^ 1;
    await spoil(ref, altered);
    const whole = await drain(await store.readContent(ref));
    expect(whole.error).toMatchObject({ code: 'Unavailable' });
    expect(whole.bytes.length).toBeLessThan(size);
    const range = await drain(await store.readContent(ref, { start: size - 1, end: size - 1 }));
    expect(range.error).toMatchObject({ code: 'Unavailable' });
    expect(range.bytes.length).toBe(0);
  });

  it('never delivers truncated content as complete', async () => {
    const bytes = randomBytes(100_000);
    const ref = await put(store, bytes);
    await spoil(ref, bytes.subarray(0, 99_999));
    expect((await drain(await store.readContent(ref))).error).toMatchObject({ code: 'Unavailable' });
  });

  it('checks the whole object once, then reads only the requested range until the object changes', async () => {
    const bytes = randomBytes(300_000);
    const ref = await put(store, bytes);
    await drain(await store.readContent(ref));
    gate.seen.length = 0;
    const { bytes: part } = await drain(await store.readContent(ref, { start: 10, end: 19 }));
    expect(part.equals(bytes.subarray(10, 20))).toBe(true);
    expect(gate.seen.map(({ headers }) => headers.range)).toEqual(['bytes=10-19']);
    await spoil(ref, randomBytes(300_000));
    expect((await drain(await store.readContent(ref, { start: 10, end: 19 }))).error).toMatchObject({
      code: 'Unavailable',
    });
  });

  it('at its opening, removes the unfinished uploads of processes that died', async () => {
    const dying = await openStore(server.place);
    const writer = await dying.createWriter('p');
    await writer.write(randomBytes(6 * MEBIBYTE));
    expect(gate.openUploads.size).toBe(1);
    const reported: unknown[] = [];
    await (await openStore(server.place, (error) => reported.push(error))).close();
    expect(gate.openUploads.size).toBe(0);
    expect(reported).toEqual([]);
    await dying.close();
  });

  it('fails its check while the service cannot be reached, and still starts', async () => {
    const reported: unknown[] = [];
    const lost = await openStore({ ...server.place, endpoint: 'http://127.0.0.1:1' }, (error) =>
      reported.push(error),
    );
    await expect(lost.check()).rejects.toMatchObject({ code: 'Unavailable' });
    await expect(
      lost.readSize({ projectId: 'p', contentDigest: digestOf(Buffer.of()) }),
    ).rejects.toMatchObject({
      code: 'Unavailable',
    });
    await lost.close();
    expect(reported).toHaveLength(1);
  });
});

describe.skipIf(!hasSwift())('S3 store, on OpenStack Swift', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startSwift();
  });
  afterAll(() => server.close());

  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }],
    ['an unknown key', { accessKeyId: 'test:nobody' }],
    ['a bucket that does not exist', { bucket: 'no-such-bucket' }],
  ])('fails its check with %s', async (_, wrong) => {
    const store = await openStore({ ...server.place, ...wrong });
    await expect(store.check()).rejects.toMatchObject({ code: 'Unavailable' });
    await store.close();
  });
});
