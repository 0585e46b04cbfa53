import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { Pinner } from '../../src/blobs/pinning/pinner.js';
import { createDescribeHandler } from '../../src/records/matching/describe-job.js';
import { createEmbedHandler } from '../../src/records/matching/embed-job.js';
import { createCopies } from '../../src/records/pinning/copies.js';
import { createPinJob } from '../../src/records/pinning/pin-job.js';
import { PINATA_JWT, type PinningServer, startPinataServer } from '../support/pinning-servers.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { ANN_CREATES, OTHER_KEY, type Service, startService, toForm } from '../support/service.js';

let pinata: PinningServer;
beforeAll(async () => {
  pinata = await startPinataServer();
});
afterAll(() => pinata.close());
afterEach(() => {
  Object.assign(pinata, { outage: undefined, held: undefined });
});

const pinned = () => ({ PINATA_JWT, PINATA_UPLOAD_URL: pinata.url, PINATA_GATEWAY: `${pinata.url}/ipfs/` });
const countOf = (method: string) => pinata.seen.filter((one) => one.method === method).length;
const asOther = { authorization: `Bearer ${OTHER_KEY}` };

async function record(service: Service, bytes: Buffer, headers = {}): Promise<string> {
  const answer = await service.upload(bytes, undefined, headers);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { cid: string }).cid;
}
const read = (service: Service, cid: string, init?: RequestInit) =>
  service.send(`/v1/resource/${cid}/content`, init);
const readBytes = async (service: Service, cid: string) => {
  const answer = await read(service, cid);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
const statusOf = async (service: Service, cid: string) =>
  (await (await service.send(`/v1/resource/${cid}`)).json()).locations[1]?.status;

/** Never ends. Fails when `signal` aborts. */
async function* begun(bytes: Uint8Array, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

async function* trickling(bytes: Uint8Array, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal?.throwIfAborted();
    yield bytes.subarray(0, 1);
    await setTimeout(5);
  }
}

const refOf = (bytes: Buffer) => ({
  projectId: namedProjectId('one'),
  contentDigest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
});

describe('with PINATA_JWT and bytes in memory', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PGlite in memory', {
      environment: { ...pinned(), MEMORY_STORE_BYTES: '6000' },
    });
  });
  afterAll(() => service.stop());

  it('the service answers a recording after it pinned the bytes, and sends the bytes once', async () => {
    const before = countOf('POST');
    const bytes = randomBytes(500);
    const cid = await record(service, bytes);
    expect(pinata.kept.get(cid)).toEqual(bytes);
    expect(await statusOf(service, cid)).toBe('pinned');
    const { provenance } = service.context.databases;
    const open = () =>
      provenance.query(`select 1 from provenance.outbox where kind = 'pin' and state = 'pending'`);
    await expect.poll(open, { interval: 50 }).toEqual([]);
    expect(countOf('POST')).toBe(before + 1);
  });

  it.each([503, 0])(
    'nothing is recorded while Pinata answers %i; 0 closes the connection',
    async (status) => {
      const bytes = randomBytes(500);
      pinata.outage = status;
      const refused = await service.upload(bytes);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await refused.json()).error).toMatchObject({
        code: 'Unavailable',
        recovery: expect.any(String),
      });
      pinata.outage = undefined;
      const cid = await record(service, bytes);
      expect(await readBytes(service, cid)).toEqual(bytes);
    },
  );

  it('recordings may exceed MEMORY_STORE_BYTES, and all of them can be read', async () => {
    const contents = Array.from({ length: 6 }, () => randomBytes(1000));
    const cids = [];
    for (const bytes of contents) cids.push(await record(service, bytes));
    for (const bytes of contents) expect((await service.upload(bytes)).status).toBe(409);
    for (const [index, cid] of cids.entries()) expect(await readBytes(service, cid)).toEqual(contents[index]);
  });

  it('a read of bytes that are not in memory fetches them once, and HEAD never fetches', async () => {
    const bytes = randomBytes(700);
    const cid = await record(service, bytes);
    await service.loseBytes('');
    const before = countOf('GET');
    const head = await read(service, cid, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '700']);
    expect(countOf('GET')).toBe(before);
    const part = await read(service, cid, { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect(await readBytes(service, cid)).toEqual(bytes);
    expect(countOf('GET')).toBe(before + 1);
  });

  it.each([
    ['other bytes', randomBytes(700)],
    ['more bytes', randomBytes(2_000)],
    ['nothing', undefined],
  ])('a read gets 503 while the gateway returns %s', async (_, given) => {
    const bytes = randomBytes(700);
    const cid = await record(service, bytes);
    await service.loseBytes('');
    if (given === undefined) pinata.kept.delete(cid);
    else pinata.kept.set(cid, given);
    const refused = await read(service, cid);
    expect(refused.status).toBe(503);
    expect((await refused.json()).error.code).toBe('Unavailable');
    pinata.kept.set(cid, bytes);
    expect(await readBytes(service, cid)).toEqual(bytes);
  });

  it('the gateway is not called for content that the project does not have', async () => {
    const cid = await record(service, randomBytes(300));
    await service.loseBytes('');
    const before = countOf('GET');
    expect((await read(service, cid, { headers: asOther })).status).toBe(404);
    expect(countOf('GET')).toBe(before);
  });

  it('concurrent readers share a fetch, which ends when the last of them leaves', async () => {
    const bytes = randomBytes(400);
    const cid = await record(service, bytes);
    await service.loseBytes('');
    const [gets, abandoned] = [countOf('GET'), pinata.abandoned];
    let release = () => {};
    pinata.held = new Promise((resolve) => {
      release = resolve;
    });
    const leaving = [new AbortController(), new AbortController()];
    const left = leaving.map(({ signal }) => read(service, cid, { signal }).catch(() => 'left'));
    const staying = readBytes(service, cid);
    await expect.poll(() => countOf('GET')).toBe(gets + 1);
    leaving[0]?.abort();
    expect(await left[0]).toBe('left');
    release();
    expect(await staying).toEqual(bytes);
    expect(pinata.abandoned).toBe(abandoned);
    await left[1];

    await service.loseBytes('');
    pinata.held = new Promise((resolve) => {
      release = resolve;
    });
    const last = new AbortController();
    const gone = read(service, cid, { signal: last.signal }).catch(() => 'left');
    await expect.poll(() => countOf('GET')).toBe(gets + 2);
    last.abort();
    expect(await gone).toBe('left');
    await expect.poll(() => pinata.abandoned).toBe(abandoned + 1);
    release();
  });

  it.each([
    ['does not end its answer', begun, 100],
    ['sends a byte now and then', trickling, 10_000_000],
  ])('a gateway that %s is abandoned', async (_, answer, sizeBytes) => {
    const bytes = randomBytes(100);
    const cid = await record(service, bytes);
    await service.loseBytes('');
    const { records } = service.context;
    const slow: Pinner = {
      provider: 'pinata',
      pin: () => Promise.reject(new Error('not here')),
      read: async (_, signal) => answer(bytes.subarray(0, 10), signal),
    };
    const copies = createCopies({
      ...records,
      providersOf: async () => ['pinata'],
      pinnerOf: async () => slow,
      fetchPace: { firstMs: 20, stepMs: 20 },
    });
    await expect(copies.restore({ ref: refOf(bytes), cid, sizeBytes })).rejects.toMatchObject({
      code: 'Unavailable',
      cause: { message: expect.stringContaining('too slowly') },
    });
    expect(await readBytes(service, cid)).toEqual(bytes);
  });

  describe('a job fetches the bytes that the store has dropped', () => {
    const jobOf = (bytes: Buffer, cid: string, more = {}) => ({
      id: '00000000-0000-7000-8000-000000000001',
      kind: 'any',
      attempt: 1,
      claim: '',
      projectId: namedProjectId('one'),
      payload: { cid, ...refOf(bytes), sizeBytes: bytes.length, mimeType: 'text/plain', ...more },
    });
    const { signal } = new AbortController();
    const textOf = (bytes: Buffer) => Buffer.from(`A lighthouse keeper writes ${bytes.toString('hex')}`);

    it('to embed the text', async () => {
      const bytes = textOf(randomBytes(40));
      const cid = await record(service, bytes);
      await service.loseBytes('');
      const { records } = service.context;
      const embedded: string[] = [];
      const embedder = {
        method: 'embedding/test',
        async embed(text: string) {
          embedded.push(text);
          return Float32Array.of(1, 0);
        },
      };
      const embed = createEmbedHandler({ ...records, embedder, index: records.matching.index });
      await embed(jobOf(bytes, cid), signal);
      expect(embedded).toEqual([bytes.toString()]);
    });

    it('to describe the content', async () => {
      const bytes = textOf(randomBytes(400));
      const cid = await record(service, bytes);
      const { provenance } = service.context.databases;
      const descriptors = 'from provenance.descriptor where cid = $1';
      await provenance.query(`delete ${descriptors}`, [cid]);
      await service.loseBytes('');
      await createDescribeHandler(service.context.records)(jobOf(bytes, cid), signal);
      expect(await provenance.query(`select 1 ${descriptors}`, [cid])).toHaveLength(1);
    });

    it('to pin the content on another service', async () => {
      const bytes = randomBytes(300);
      const cid = await record(service, bytes);
      await service.loseBytes('');
      const sent: Uint8Array[] = [];
      const kubo: Pinner = {
        provider: 'kubo',
        async pin(content) {
          for await (const chunk of await content.open()) sent.push(chunk);
          return { cid, uri: `ipfs://${cid}` };
        },
        read: async () => undefined,
      };
      const { records } = service.context;
      const pin = createPinJob({ ...records, providersOf: async () => ['kubo'], pinnerOf: async () => kubo });
      const contentDigest = refOf(bytes).contentDigest.slice('sha256:'.length);
      await pin(jobOf(bytes, cid, { provider: 'kubo', contentDigest }), signal);
      expect(Buffer.concat(sent)).toEqual(bytes);
    });
  });

  it('a recording is no longer sent to Pinata after its caller left', async () => {
    const [posts, abandoned] = [countOf('POST'), pinata.abandoned];
    let release = () => {};
    pinata.held = new Promise((resolve) => {
      release = resolve;
    });
    const caller = new AbortController();
    const left = service
      .send('/v1/activity', {
        method: 'POST',
        body: toForm(randomBytes(100), ANN_CREATES),
        signal: caller.signal,
      })
      .catch(() => 'left');
    await expect.poll(() => countOf('POST')).toBe(posts + 1);
    caller.abort();
    expect(await left).toBe('left');
    await expect.poll(() => pinata.abandoned).toBe(abandoned + 1);
    release();
  });

  it('/readyz reports where the bytes are', async () => {
    const { checks } = await (await service.send('/readyz')).json();
    expect(checks.bytes).toBe('ok (on Pinata, and cached in memory)');
  });
});

describe('with PINATA_JWT and bytes in a directory', () => {
  it('a recording does not wait for its pin, and a read fetches and stores lost bytes', async () => {
    const service = await startService('PGlite in a directory', { environment: pinned() });
    pinata.outage = 503;
    const cid = await record(service, Buffer.from('kept in a directory'));
    expect(await statusOf(service, cid)).toBe('pending');
    pinata.outage = undefined;
    await expect.poll(() => statusOf(service, cid), { timeout: 20_000, interval: 100 }).toBe('pinned');
    await service.loseBytes('kept in a directory');
    const before = countOf('GET');
    for (let reads = 0; reads < 2; reads++)
      expect(String(await readBytes(service, cid))).toBe('kept in a directory');
    expect(countOf('GET')).toBe(before + 1);
    await service.stop();
  });
});

describe('in production, with bytes in memory alone', () => {
  it('the start and /readyz warn that a restart loses the bytes, and the service answers requests', async () => {
    const said: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => said.push(JSON.parse(line).msg) });
    const service = await startService('PGlite in memory', {
      environment: {
        NODE_ENV: 'production',
        DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'bytes in memory'),
      },
      overrides: { logger },
    });
    const word = 'bytes are in memory and lost on restart, set DATA_DIR, S3_BUCKET or PINATA_JWT';
    expect(said).toContain(word);
    const answer = await service.send('/readyz');
    expect(answer.status).toBe(200);
    expect((await answer.json()).checks.bytes).toBe(`impaired: ${word}`);
    await service.stop();
  });
});
