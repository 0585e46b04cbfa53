import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { car } from '@helia/car';
import { unixfs } from '@helia/unixfs';
import { CarReader } from '@ipld/car';
import { MemoryBlockstore } from 'blockstore-core';
import { base36 } from 'multiformats/bases/base36';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { openS3Store } from '../../src/blobs/s3/open-s3-store.js';
import { type S3Server, startS3rver } from '../support/s3/servers.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const MIB = 2 ** 20;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes);

async function record(service: Service, bytes: Uint8Array): Promise<string> {
  const answer = await service.upload(bytes);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { cid: string }).cid;
}

/** Uses helia's car and unixfs. */
async function importInHelia(bytes: Uint8Array): Promise<{ root: string; file: Buffer }> {
  const reader = await CarReader.fromBytes(bytes);
  for await (const { cid, bytes: block } of reader.blocks()) {
    expect(Buffer.from(cid.multihash.digest).equals(sha256(block).digest())).toBe(true);
  }
  const blockstore = new MemoryBlockstore();
  const logger = { forComponent: () => Object.assign(() => {}, { error() {}, trace() {} }) };
  const components = { blockstore, logger, getCodec: () => Promise.reject(new Error('no codec')) };
  await car(components as unknown as Parameters<typeof car>[0]).import(reader);
  const [root] = await reader.getRoots();
  const chunks: Uint8Array[] = [];
  for await (const chunk of unixfs({ blockstore }).cat(CID.parse(String(root)))) chunks.push(chunk);
  return { root: String(root), file: Buffer.concat(chunks) };
}

describe('content as it is served', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PGlite in a directory');
  });
  afterAll(() => service.stop());

  function fileOf(bytes: Uint8Array): string {
    const hex = sha256(bytes).digest('hex');
    const { blobs } = service.config as { blobs: { directory: string } };
    const place = path.join('sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
    return path.join(blobs.directory, namedProjectId('one'), place);
  }

  it.each([0, 1, 1000, MIB, MIB + 1, 3 * MIB + 5])(
    'of %i bytes is a CAR that helia accepts, with the recorded CID as its root',
    async (size) => {
      const bytes = size === 0 ? Buffer.alloc(0) : randomBytes(size);
      const cid = await record(service, bytes);
      const answer = await service.send(`/v1/resource/${cid}/content?format=car`);
      expect(answer.headers.get('content-type')).toBe(
        'application/vnd.ipld.car; version=1; order=unk; dups=y',
      );
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${cid}.car"`);
      expect(answer.headers.get('repr-digest')).toBeNull();
      const { root, file } = await importInHelia(new Uint8Array(await answer.arrayBuffer()));
      expect(root).toBe(cid);
      expect(file.equals(bytes)).toBe(true);
    },
  );

  it('is a CAR if Accept names it, with its own ETag', async () => {
    const cid = await record(service, randomBytes(100));
    const url = `/v1/resource/${cid}/content`;
    const asked = { accept: 'application/vnd.ipld.car; version=1, */*;q=0.1' };
    const answer = await service.send(url, { headers: asked });
    expect(answer.headers.get('content-type')).toMatch(/^application\/vnd\.ipld\.car/);
    expect(answer.headers.get('vary')).toBe('accept, authorization');
    const etag = answer.headers.get('etag') ?? '';
    const plain = await service.send(url);
    expect(plain.headers.get('etag')).not.toBe(etag);
    const again = await service.send(url, { headers: { ...asked, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const head = await service.send(`${url}?format=car`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
    await Promise.all([answer, plain].map((one) => one.arrayBuffer()));
  });

  it('is not served in an unknown format', async () => {
    const cid = await record(service, randomBytes(100));
    expect((await service.send(`/v1/resource/${cid}/content?format=tar`)).status).toBe(400);
  });

  it('has the digest of the whole content in the responses to GET, to a range and to HEAD (RFC 9530)', async () => {
    const bytes = randomBytes(2000);
    const cid = await record(service, bytes);
    const expected = `sha-256=:${sha256(bytes).digest('base64')}:`;
    for (const [method, headers, status] of [
      ['GET', {}, 200],
      ['GET', { range: 'bytes=5-9' }, 206],
      ['HEAD', {}, 200],
    ] as const) {
      const answer = await service.send(`/v1/resource/${cid}/content`, { method, headers });
      expect([answer.status, answer.headers.get('repr-digest')]).toEqual([status, expected]);
      expect(answer.headers.get('etag')).toBe(`"sha256:${sha256(bytes).digest('hex')}"`);
      await answer.arrayBuffer();
    }
  });

  it('has its full size in the response to HEAD, even with a requested range', async () => {
    const cid = await record(service, randomBytes(2000));
    const answer = await service.send(`/v1/resource/${cid}/content`, {
      method: 'HEAD',
      headers: { range: 'bytes=5-9' },
    });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '2000']);
  });

  it('is found by each of its identifiers, below and above 1 MiB', async () => {
    for (const size of [1, MIB, MIB + 1, 9 * MIB]) {
      const bytes = randomBytes(size);
      const cid = await record(service, bytes);
      const hex = sha256(bytes).digest('hex');
      const { multihash, code } = CID.parse(cid);
      const names = [
        cid.toUpperCase(),
        CID.parse(cid).toString(base58btc),
        CID.parse(cid).toString(base36),
        `sha256:${hex}`,
        `sha256:${hex.toUpperCase()}`,
        CID.createV1(0x55, Digest.create(0x12, sha256(bytes).digest())).toString(),
        ...(code === 0x70 ? [CID.createV0(multihash as Digest.Digest<0x12, number>).toString()] : []),
      ];
      for (const name of names) {
        const found = await service.send(`/v1/resource/${name}`);
        expect([name, found.status, (await found.json()).cid]).toEqual([name, 200, cid]);
        const part = await service.send(`/v1/resource/${name}/content`, { headers: { range: 'bytes=-1' } });
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-1))).toBe(true);
      }
    }
  });

  it('is not served if its file has another length than recorded', async () => {
    const bytes = randomBytes(500);
    const cid = await record(service, bytes);
    writeFileSync(fileOf(bytes), bytes.subarray(0, 499));
    expect((await service.send(`/v1/resource/${cid}/content`)).status).toBe(503);
  });

  it('fails during its transfer as a CAR if the store has other bytes', async () => {
    const bytes = randomBytes(3 * MIB);
    const cid = await record(service, bytes);
    const altered = readFileSync(fileOf(bytes));
    altered[10] = (altered[10] ?? 0) ^ 1;
    writeFileSync(fileOf(bytes), altered);
    const answer = await service.send(`/v1/resource/${cid}/content?format=car`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe('altered content in a remote store', () => {
  let server: S3Server;
  let service: Service;
  beforeAll(async () => {
    server = await startS3rver();
    const store = await openS3Store({ ...server.place, maxContentBytes: 2 ** 30, reportFailure: () => {} });
    service = await startService(ANY_ENGINE, { overrides: { blobs: store } });
  });
  afterAll(async () => {
    await service.stop();
    await server.close();
  });

  it.each([
    [10, 'with 503 before the first byte'],
    [2 * MIB, 'by an aborted transfer'],
  ])('of %i bytes is rejected %s', async (size) => {
    const bytes = randomBytes(size);
    const cid = await record(service, bytes);
    const { blobs } = service.context.records;
    const ref = { projectId: namedProjectId('one'), contentDigest: `sha256:${sha256(bytes).digest('hex')}` };
    await blobs.remove(ref);
    const writer = await blobs.createWriter(ref.projectId);
    await writer.write(randomBytes(size));
    await writer.commit(ref.contentDigest);
    const whole = service.send(`/v1/resource/${cid}/content`).then(async (answer) => {
      if (answer.status === 200) await answer.arrayBuffer();
      return answer.status;
    });
    if (size < MIB) expect(await whole).toBe(503);
    else await expect(whole).rejects.toThrow();
    const range = await service.send(`/v1/resource/${cid}/content`, { headers: { range: 'bytes=1-2' } });
    expect(range.status).toBe(503);
  });
});
