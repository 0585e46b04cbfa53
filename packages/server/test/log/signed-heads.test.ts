import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCheckpoint } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner } from '../../src/access/ed25519.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { readCheckpoint } from '../../src/transparency-log/checkpoint.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { nameOf, openSignedHeads } from '../../src/transparency-log/signed-heads.js';
import { recordItems, toEntityItem } from '../support/plain-items.js';
import { createDatabase } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, startService } from '../support/service.js';

const PROJECT = randomUUID();
const LOG = { projectId: PROJECT, origin: `localhost/log/${PROJECT}` };
const NAME = nameOf(LOG);

describe('the newest signed checkpoints', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openDatabases({ kind: 'memory' });
    await nameLogs(databases.provenance, 'localhost');
  });
  afterAll(() => databases.close());

  const store = createMemoryStore(2 ** 20);
  const failures: unknown[] = [];
  const open = (into: Parameters<typeof openSignedHeads>[0]['store'] = store) => {
    const { provenance } = databases;
    const reportFailure = (error: unknown) => void failures.push(error);
    const signedHeads = openSignedHeads({ store: into, provenance, reportFailure, delayMs: 1 });
    const deps = {
      ...{ provenance, signedHeads, service: 'localhost' },
      signer: toLogSigner(createSigner('07'.repeat(32))),
      readAnchoredLeaf: async () => undefined,
      limitConcurrency: <T>(_: string, run: () => Promise<T>) => run(),
      completeNodes: createCompleteNodes(provenance, (_, run) => run()),
    };
    return { ...signedHeads, sign: () => readCheckpoint(deps, PROJECT) };
  };
  const readStored = async () => parseCheckpoint((await store.readDocument(NAME))?.toString() ?? '')?.size;
  const record = (id: string) =>
    recordItems(databases.provenance, PROJECT, [toEntityItem({ id, role: 'human' })]);

  it('are stored after they are signed, and never replaced by smaller ones', async () => {
    const first = open();
    await record('a');
    const small = await first.sign();
    await record('b');
    await first.sign();
    await first.close();
    expect(await readStored()).toBe(2);
    const second = open();
    await second.sign();
    const { size = 0, root = new Uint8Array() } = parseCheckpoint(small) ?? {};
    second.keep(LOG, { size, root, note: small });
    await second.close();
    expect(await readStored()).toBe(2);
    expect(small).toContain(LOG.origin);
  });

  it('stop a log that lacks signed leaves, and a log with other leaves', async () => {
    const signed = (await store.readDocument(NAME))?.toString() ?? '';
    const { size } = parseCheckpoint(signed) ?? { size: 0 };
    const larger = signed.replace(`\n${size}\n`, `\n${size + 1}\n`);
    await store.writeDocument(NAME, Buffer.from(larger));
    const started = open();
    for (let tries = 0; tries < 2; tries++)
      await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    // A leaf of another record takes the place of the missing leaf.
    await record('c');
    await expect(started.sign()).rejects.toThrow(`its signed tree of ${size + 1} leaves`);
    await store.writeDocument(NAME, Buffer.from(signed));
    await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    const restarted = open();
    expect(parseCheckpoint(await restarted.sign())?.size).toBe(size + 1);
    await started.close();
    await restarted.close();
  });

  it('stop a log while their document is damaged', async () => {
    const signed = (await store.readDocument(NAME)) ?? Buffer.alloc(0);
    await store.writeDocument(NAME, Buffer.from('<html>502 Bad Gateway</html>'));
    const started = open();
    await expect(started.sign()).rejects.toThrow('is damaged');
    await store.writeDocument(NAME, signed);
    await started.sign();
    await started.close();
  });

  it('stop a log that loses leaves while the service runs, also when it grows again', async () => {
    const running = open();
    await running.sign();
    await running.close();
    const later = open();
    await later.sign();
    const { provenance } = databases;
    await provenance.query(
      `delete from provenance.log_leaf where project_id = $1 and leaf_index =
         (select max(leaf_index) from provenance.log_leaf where project_id = $1)`,
      [PROJECT],
    );
    const unaware = open();
    await expect(later.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    for (const id of ['d', 'e']) await record(id);
    for (const heads of [later, unaware]) await expect(heads.sign()).rejects.toThrow('does not continue');
    await later.close();
    expect(await readStored()).toBe(3);
  });

  it('are not replaced when the log lost leaves and grew again between two signatures', async () => {
    await store.removeDocument(NAME);
    const running = open();
    await running.sign();
    await running.close();
    const size = (await readStored()) ?? 0;
    const unaware = open();
    await unaware.sign();
    await databases.provenance.query(
      `update provenance.log_leaf set digest = sha256('other') where project_id = $1 and leaf_index = $2`,
      [PROJECT, size - 1],
    );
    await record('f');
    expect(parseCheckpoint(await unaware.sign())?.size).toBe(size + 1);
    await unaware.close();
    expect(String(failures.at(-1))).toContain('does not continue');
    expect(await readStored()).toBe(size);
    await store.removeDocument(NAME);
  });

  it('stop a log while the store cannot be read', async () => {
    const failing = { ...store, readDocument: () => Promise.reject(new Error('down')) };
    const started = open(failing);
    await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    await started.close();
  });

  it('are stored later if the store fails', async () => {
    await store.removeDocument(NAME);
    let isDown = true;
    failures.length = 0;
    const failing = {
      ...store,
      writeDocument: (name: string, bytes: Uint8Array) =>
        isDown ? Promise.reject(new Error('down')) : store.writeDocument(name, bytes),
    };
    const started = open(failing);
    await started.sign();
    await expect.poll(() => failures.length).toBe(1);
    expect(await readStored()).toBeUndefined();
    isDown = false;
    const signed = parseCheckpoint(await started.sign())?.size;
    await started.close();
    expect(await readStored()).toBe(signed);
  });
});

describe('a service whose database is older than its bytes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-heads-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('signs nothing until the operator accepts the loss', async () => {
    const environment = {
      DATA_DIR: path.join(folder, 'data'),
      SERVER_SIGNING_KEY: '07'.repeat(32),
      DATABASE_URL: await createDatabase(inject('postgresUrl'), 'newer'),
    };
    const older = { ...environment, DATABASE_URL: await createDatabase(inject('postgresUrl'), 'older') };
    const start = (given: Record<string, string>) => startService('PGlite in memory', { environment: given });
    const record = async (service: Service, id: string) =>
      expect((await service.send('/v1/entity', jsonPost({ id, role: 'human' }))).status).toBe(201);
    const newer = await start(environment);
    await record(newer, 'ann');
    await record(newer, 'bo');
    expect((await newer.send('/v1/log/checkpoint')).status).toBe(200);
    await newer.stop();

    const restored = await start(older);
    await record(restored, 'ann');
    const refused = await restored.send('/v1/log/checkpoint');
    expect(refused.status).toBe(503);
    expect(JSON.stringify(await refused.json())).toContain('colophon log accept-loss');
    await record(restored, 'cy');
    expect((await restored.send('/v1/entity/ann')).status).toBe(200);
    await restored.stop();

    expect((await runCli(['log', 'accept-loss'], older)).status).toBe(2);
    const accept = (...more: string[]) =>
      runCli(['log', 'accept-loss', namedProjectId('one'), ...more], older);
    expect(await accept()).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --size 2') });
    expect(await accept('--size', '2')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('may sign'),
    });
    expect(await accept()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Nothing was changed'),
    });
    const accepted = await start(older);
    expect((await accepted.send('/v1/log/checkpoint')).status).toBe(200);
    await accepted.stop();
  });
});
