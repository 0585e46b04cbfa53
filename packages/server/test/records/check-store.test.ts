import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createKuboPinner } from '../../src/blobs/pinning/kubo.js';
import type { Pinner } from '../../src/blobs/pinning/pinner.js';
import { checkStore, type Finding } from '../../src/integrity/check-store.js';
import { type PinningServer, startKuboServer } from '../support/pinning-servers.js';
import { type Service, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const AN_HOUR_MS = 3_600_000;

describe('checking the store, on PostgreSQL', () => {
  let kubo: PinningServer;
  let service: Service;
  beforeAll(async () => {
    kubo = await startKuboServer();
    service = await startService('PostgreSQL', {
      overrides: { pinners: [createKuboPinner({ apiUrl: kubo.url })] },
    });
  });
  afterAll(async () => {
    await service.stop();
    await kubo.close();
  });

  function fileOf(bytes: Uint8Array): string {
    const { blobs } = service.config;
    if (blobs.kind !== 'dir') throw new Error('this test needs a directory');
    const hex = digestOf(bytes).slice('sha256:'.length);
    return path.join(blobs.directory, PROJECT, 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
  }

  async function record(bytes: Buffer): Promise<string> {
    const { cid } = (await (await service.upload(bytes)).json()) as { cid: string };
    const isPinned = async () =>
      (await (await service.send(`/v1/resource/${cid}`)).json()).locations[1]?.status === 'pinned';
    await expect.poll(isPinned, { timeout: 10_000 }).toBe(true);
    return cid;
  }

  function plant(bytes: Uint8Array, ageMs: number): void {
    const file = fileOf(bytes);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const then = new Date(Date.now() - ageMs);
    utimesSync(file, then, then);
  }

  const node = async () => createKuboPinner({ apiUrl: kubo.url });
  const none = async () => undefined;

  async function check(
    options: { quick?: boolean; repair?: boolean; dropAltered?: boolean } = {},
    pinnerOf: () => Promise<Pinner | undefined> = node,
  ) {
    const { provenance, blobs } = service.context.records;
    const findings: Finding[] = [];
    let checkedBytes = 0;
    const onProgress = (size: number) => {
      checkedBytes += size;
    };
    const all = { quick: false, repair: false, dropAltered: false, onProgress, ...options };
    for await (const finding of checkStore({ provenance, blobs, pinnerOf }, all)) findings.push(finding);
    return { findings, checkedBytes };
  }

  afterEach(async () => {
    await check({ repair: true, dropAltered: true });
    expect((await check()).findings).toEqual([]);
  });

  function alter(bytes: Buffer): void {
    const altered = Buffer.from(readFileSync(fileOf(bytes)));
    altered[0] = (altered[0] ?? 0) ^ 1;
    writeFileSync(fileOf(bytes), altered);
  }

  it('finds nothing in unaltered content below and above 1 MiB, and reports the checked bytes', async () => {
    for (const size of [0, 1, 2 ** 20 + 1]) await record(randomBytes(size));
    const { findings, checkedBytes } = await check();
    expect(findings).toEqual([]);
    expect(checkedBytes).toBe(2 ** 20 + 2);
    expect((await check({ quick: true })).checkedBytes).toBe(2 ** 20 + 2);
  });

  it('lists missing, altered and orphaned content, and finds one altered byte unless --quick is set', async () => {
    const [missing, altered, short, orphan] = [11, 12, 13, 14].map((size) => randomBytes(size)) as Buffer[];
    const cids = [
      await record(missing as Buffer),
      await record(altered as Buffer),
      await record(short as Buffer),
    ];
    rmSync(fileOf(missing as Buffer));
    alter(altered as Buffer);
    writeFileSync(fileOf(short as Buffer), 'short');
    plant(orphan as Buffer, 2 * AN_HOUR_MS);
    const { findings } = await check();
    expect(new Set(findings)).toEqual(
      new Set([
        {
          problem: 'missing',
          projectId: PROJECT,
          cid: cids[0],
          contentDigest: digestOf(missing as Buffer),
          sizeBytes: 11,
        },
        {
          problem: 'altered',
          projectId: PROJECT,
          cid: cids[1],
          contentDigest: digestOf(altered as Buffer),
          sizeBytes: 12,
        },
        {
          problem: 'altered',
          projectId: PROJECT,
          cid: cids[2],
          contentDigest: digestOf(short as Buffer),
          sizeBytes: 13,
        },
        {
          problem: 'orphaned',
          projectId: PROJECT,
          contentDigest: digestOf(orphan as Buffer),
          sizeBytes: 14,
        },
      ]),
    );
    const quick = (await check({ quick: true })).findings.map(({ cid }) => cid);
    expect(quick).toContain(cids[2]);
    expect(quick).not.toContain(cids[1]);
  });

  it('restores missing and altered content from its pinned copy', async () => {
    const contents = [randomBytes(2000), randomBytes(2001)] as const;
    for (const bytes of contents) await record(bytes);
    rmSync(fileOf(contents[0]));
    alter(contents[1]);
    const { findings } = await check({ repair: true });
    expect(findings.map(({ repaired }) => repaired)).toEqual(['restored', 'restored']);
    for (const bytes of contents) expect(readFileSync(fileOf(bytes)).equals(bytes)).toBe(true);
  });

  it('rejects a copy with other bytes, and removes altered content without a copy only if requested', async () => {
    const bytes = randomBytes(2002);
    const cid = await record(bytes);
    kubo.kept.set(cid, randomBytes(2002));
    alter(bytes);
    const before = readFileSync(fileOf(bytes));
    expect((await check({ repair: true })).findings).toMatchObject([{ problem: 'altered', cid }]);
    expect(readFileSync(fileOf(bytes)).equals(before)).toBe(true);
    const { blobs } = service.config as { blobs: { directory: string } };
    expect(readdirSync(path.join(blobs.directory, 'tmp'))).toEqual([]);
    const [dropped] = (await check({ repair: true, dropAltered: true }, none)).findings;
    expect(dropped).toMatchObject({ problem: 'altered', repaired: 'removed' });
    const again = await service.upload(bytes);
    expect((await again.json()).error.details).toMatchObject({ cid, restored: true });
    kubo.kept.set(cid, bytes);
  });

  it('lists and keeps content that it cannot restore during an outage, and continues', async () => {
    const contents = [randomBytes(2003), randomBytes(2004)] as const;
    for (const bytes of contents) await record(bytes);
    for (const bytes of contents) alter(bytes);
    const broken = [
      async () => createKuboPinner({ apiUrl: 'http://127.0.0.1:1' }),
      () => Promise.reject(new Error('The key cannot be opened.')),
    ];
    for (const pinnerOf of broken) {
      const { findings } = await check({ repair: true, dropAltered: true }, pinnerOf);
      expect(findings).toHaveLength(2);
      for (const { problem, repaired, faults } of findings)
        expect([problem, repaired, faults]).toEqual([
          'altered',
          undefined,
          [expect.stringMatching(/^kubo: The/)],
        ]);
    }
    for (const bytes of contents) expect(readFileSync(fileOf(bytes)).length).toBe(bytes.length);
  });

  it('reads at most the recorded size of a copy', async () => {
    const bytes = randomBytes(2005);
    await record(bytes);
    alter(bytes);
    let sentBytes = 0;
    async function* endless() {
      for (; sentBytes < 1e9; sentBytes += 1000) yield Buffer.alloc(1000);
    }
    const pinnerOf = async (): Promise<Pinner> => ({ ...(await node()), read: async () => endless() });
    const { findings } = await check({ repair: true }, pinnerOf);
    expect(findings).toMatchObject([{ problem: 'altered' }]);
    expect(findings[0]?.repaired).toBeUndefined();
    expect(sentBytes).toBeLessThan(4000);
    const { blobs } = service.config as { blobs: { directory: string } };
    expect(readdirSync(path.join(blobs.directory, 'tmp'))).toEqual([]);
  });

  it('finds and removes the stored bytes of a failed recording', async () => {
    const bytes = randomBytes(2006);
    await service.context.databases.provenance.query(
      `create function provenance.refuse_2006() returns trigger language plpgsql as
         $$ begin raise exception 'lost'; end $$`,
    );
    await service.context.databases.provenance.query(
      'create trigger refuse_2006 before insert on provenance.action for each row execute function provenance.refuse_2006()',
    );
    expect((await service.upload(bytes)).status).toBe(500);
    await service.context.databases.provenance.query('drop trigger refuse_2006 on provenance.action');
    const then = new Date(Date.now() - 2 * AN_HOUR_MS);
    utimesSync(fileOf(bytes), then, then);
    expect((await check({ repair: true })).findings).toMatchObject([
      { problem: 'orphaned', contentDigest: digestOf(bytes), repaired: 'removed' },
    ]);
    expect((await service.upload(bytes)).status).toBe(201);
  });

  it('removes only orphans older than an hour', async () => {
    const [old, young] = [randomBytes(21), randomBytes(22)] as const;
    plant(old, 1.1 * AN_HOUR_MS);
    plant(young, 0.9 * AN_HOUR_MS);
    const { findings } = await check({ repair: true });
    expect(findings).toMatchObject([{ contentDigest: digestOf(old), repaired: 'removed' }]);
    expect(() => readFileSync(fileOf(old))).toThrow('ENOENT');
    expect(readFileSync(fileOf(young)).equals(young)).toBe(true);
  });

  it('treats content of one project as an orphan in another project', async () => {
    const bytes = randomBytes(31);
    await record(bytes);
    const elsewhere = fileOf(bytes).replace(PROJECT, namedProjectId('two'));
    mkdirSync(path.dirname(elsewhere), { recursive: true });
    writeFileSync(elsewhere, bytes);
    utimesSync(elsewhere, new Date(0), new Date(0));
    expect((await check()).findings).toMatchObject([
      { problem: 'orphaned', projectId: namedProjectId('two') },
    ]);
  });
});
