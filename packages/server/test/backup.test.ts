import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTrustedLog, type Receipt, verifyReceipt } from '@colophon/model';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createVerifySignature } from '../src/access/ed25519.js';
import { joinKeys } from '../src/backup/write-backup.js';
import { createDatabase } from './support/postgres.js';
import { createEmptyDatabase } from './support/postgres-databases.js';
import { runCli } from './support/run-cli.js';
import { type Service, STORAGE_ENGINES, startService } from './support/service.js';

const verify = createVerifySignature();
const PUBLIC = { PUBLIC_URL: 'https://provenance.example.org' };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'colophon-backup-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The data store stays after its service stops. */
async function makePlace(engine: string, name: string): Promise<Record<string, string>> {
  const place = { ...PUBLIC, DATA_DIR: path.join(directory, name), AUDIT_INTERVAL_MINUTES: '0' };
  return engine === 'PostgreSQL'
    ? { ...place, DATABASE_URL: await createDatabase(inject('postgresUrl')) }
    : place;
}

async function makeEmptyPlace(engine: string, name: string): Promise<Record<string, string>> {
  const place = await makePlace(engine, name);
  return engine === 'PostgreSQL'
    ? { ...place, DATABASE_URL: await createEmptyDatabase(inject('postgresUrl')) }
    : place;
}

const readReceipt = async (service: Service, id: string): Promise<Receipt> =>
  (await service.send(`/v1/action/${id}/receipt`)).json();
const readTrusted = async (service: Service) =>
  parseTrustedLog((await (await service.send('/v1/log')).json()).verifierKey);

it('a backup stores a key rotation as unfinished if the rotation ends during the backup', () => {
  const none = undefined;
  expect(joinKeys({ key: 'a', next: none }, { key: 'a', next: none })).toEqual({ key: 'a', next: none });
  expect(joinKeys({ key: 'a', next: none }, { key: 'a', next: 'b' })).toEqual({ key: 'a', next: 'b' });
  expect(joinKeys({ key: 'a', next: none }, { key: 'b', next: none })).toEqual({ key: 'a', next: 'b' });
  expect(joinKeys({ key: 'a', next: 'b' }, { key: 'b', next: none })).toEqual({ key: 'a', next: 'b' });
  expect(joinKeys({ key: 'a', next: 'b' }, { key: 'b', next: 'b' })).toEqual({ key: 'a', next: 'b' });
  expect(() => joinKeys({ key: 'a', next: 'b' }, { key: 'b', next: 'c' })).toThrow('Start the backup again');
  expect(joinKeys({ key: none, next: none }, { key: 'a', next: none })).toEqual({ key: 'a', next: none });
});

interface Restore {
  backup: string;
  to: Record<string, string>;
}

/** Repairs the file afterwards. */
async function expectAlteredRejected(file: string, { backup, to }: Restore): Promise<void> {
  const before = readFileSync(file);
  writeFileSync(file, Buffer.concat([before, Buffer.from('x')]));
  expect((await runCli(['restore', backup], to)).status).toBe(1);
  writeFileSync(file, before);
}

/** Repairs the backup afterwards. */
async function expectPartsChecked({ backup, to }: Restore): Promise<void> {
  const hex = createHash('sha256').update('a photo').digest('hex');
  const [project = ''] = readdirSync(path.join(backup, 'bytes')).filter((name) => name !== 'tmp');
  const bytes = path.join(backup, 'bytes', project, 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
  await expectAlteredRejected(bytes, { backup, to });
  rmSync(bytes);
  expect(await runCli(['restore', backup], to)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/does not have sha256:/),
  });
  writeFileSync(bytes, 'a photo');
  const key = path.join(backup, 'log-signing-key');
  const seed = readFileSync(key);
  rmSync(key);
  expect(await runCli(['restore', backup], to)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/log-signing-key is missing/),
  });
  writeFileSync(key, '');
  expect((await runCli(['restore', backup], to)).stderr).toContain('does not contain a key');
  writeFileSync(key, seed);
}

describe.each(STORAGE_ENGINES.filter((engine) => !engine.includes('memory')))('a backup of %s', (engine) => {
  const services: Service[] = [];
  const start = async (environment: Record<string, string>) => {
    const service = await startService(engine, { environment });
    services.push(service);
    return service;
  };
  // Runs before the directory is deleted.
  afterEach(() => Promise.all(services.splice(0).map((service) => service.stop())));

  it('is restored to an empty target: records, bytes, proofs and the key of the log', async () => {
    const from = await makePlace(engine, 'from');
    const service = await start(from);
    const recorded = [];
    for (let count = 0; count < 5; count++)
      recorded.push(await (await service.upload(`photo ${count} \u{1f4f7} "quoted" \\ end`)).json());
    const [first] = recorded;
    const thumbnail = async (of: Service) => (await of.send(`/v1/resource/${first.cid}/thumbnail`)).text();
    const drawn = await thumbnail(service);
    const receipt = await readReceipt(service, first.actionId);
    const trusted = await readTrusted(service);
    const bundle = await (await service.send(`/v1/bundle/${first.cid}`)).json();

    // The embedded database belongs to one process, so recording continues only on PostgreSQL.
    let isOver = false;
    let meanwhile = 0;
    const recordOn = async () => {
      while (!isOver)
        if ((await service.upload(`more ${meanwhile++}`)).status !== 201) throw new Error('refused');
    };
    if (engine !== 'PostgreSQL') await service.stop();
    const recording = engine === 'PostgreSQL' ? recordOn() : undefined;
    const backup = path.join(directory, 'backup');
    const made = await runCli(['backup', backup, '--json'], from);
    isOver = true;
    await recording;
    if (engine === 'PostgreSQL') await service.stop();
    expect(made).toMatchObject({ status: 0 });
    const { digest, contents } = JSON.parse(made.stdout);
    expect(contents).toMatchObject({ included: true, missing: [] });
    expect(contents.count).toBeGreaterThanOrEqual(5);

    const to = await makeEmptyPlace(engine, 'to');
    const wrong = await runCli(['restore', backup, '--digest', `sha256:${'0'.repeat(64)}`], to);
    expect(wrong.status).toBe(3);
    const restored = await runCli(['restore', backup, '--digest', digest, '--json'], to);
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    expect(await runCli(['fsck'], to)).toMatchObject({ status: 0 });
    expect(await runCli(['restore', backup], to)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/not empty/),
    });

    const second = await start(to);
    expect(await (await second.send(`/v1/bundle/${first.cid}`)).json()).toEqual(bundle);
    const resource = await (await second.send(`/v1/resource/${first.cid}`)).json();
    expect(resource.title).toBe('photo.jpg');
    const content = await second.send(`/v1/resource/${first.cid}/content`);
    expect(await content.text()).toBe('photo 0 \u{1f4f7} "quoted" \\ end');
    // The backup has no thumbnails, so the service makes them again.
    expect(readdirSync(path.join(backup, 'tables')).filter((name) => name.includes('thumbnail'))).toEqual([]);
    expect(await thumbnail(second)).toBe(drawn);
    expect(await readTrusted(second)).toEqual(trusted);
    for (const one of [receipt, await readReceipt(second, first.actionId)])
      expect(verifyReceipt(one, trusted as never, verify)).toMatchObject({ verified: true });
    const next = await (await second.upload('after the restore')).json();
    expect(verifyReceipt(await readReceipt(second, next.actionId), trusted as never, verify)).toMatchObject({
      verified: true,
    });
    await second.stop();
  }, 240_000);

  it('is not restored if it was altered, and is restored to the other engine after its repair', async () => {
    const from = await makePlace(engine, 'from');
    const service = await start(from);
    await service.upload('a photo');
    await service.stop();
    const backup = path.join(directory, 'backup');
    expect((await runCli(['backup', backup], from)).status).toBe(0);
    const to = await makeEmptyPlace(engine === 'PostgreSQL' ? 'PGlite in a directory' : 'PostgreSQL', 'to');
    await expectAlteredRejected(path.join(backup, 'tables', 'provenance.action.ndjson.gz'), { backup, to });
    // These checks do not depend on the engine of the target, and cost least with PostgreSQL.
    if (engine !== 'PostgreSQL' || process.env.LONG_TESTS) await expectPartsChecked({ backup, to });
    const key = path.join(backup, 'log-signing-key');
    const seed = readFileSync(key);
    const target = path.join(to.DATA_DIR ?? '', 'log-signing-key');
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    for (const file of [target, `${target}.next`]) {
      writeFileSync(file, `${'9'.repeat(64)}\n`, { mode: 0o600 });
      expect(await runCli(['restore', backup], to)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/has another key of the log/),
      });
      rmSync(file);
    }
    expect(await runCli(['restore', backup], to)).toMatchObject({ status: 0 });
    expect(readFileSync(target)).toEqual(seed);
    const configured = {
      ...(await makeEmptyPlace(engine, 'configured')),
      SERVER_SIGNING_KEY: '9'.repeat(64),
    };
    expect((await runCli(['restore', backup], configured)).stdout).toContain(`the content of ${key}`);
  }, 240_000);
});
