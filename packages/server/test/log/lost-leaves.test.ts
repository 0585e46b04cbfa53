import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { nameOf } from '../../src/transparency-log/stored-heads.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, startService } from '../support/service.js';

describe('a service that compares its log with stored checkpoints', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-heads-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('on PGlite: shows no loss after an erasure, and a loss after the restore of an older backup', async () => {
    const environment = { DATA_DIR: path.join(folder, 'embedded'), AUDIT_INTERVAL_MINUTES: '0' };
    const start = () => startService('PGlite in a directory', { environment });
    const record = async (service: Service, id: string) =>
      expect((await service.send('/v1/entity', jsonPost({ id, role: 'human', name: id }))).status).toBe(201);
    const first = await start();
    await record(first, 'ann');
    await first.stop();
    const backup = path.join(folder, 'backup');
    expect(await runCli(['backup', backup], environment)).toMatchObject({ status: 0 });
    const second = await start();
    await record(second, 'bo');
    expect((await second.send('/v1/entity/bo/personal-data', { method: 'DELETE' })).status).toBe(200);
    expect((await second.send('/v1/log/checkpoint')).status).toBe(200);
    await second.stop();
    // An erasure does not change digests, so the log has lost no leaf.
    expect(await runCli(['log', 'check'], environment)).toMatchObject({ status: 0 });

    rmSync(path.join(environment.DATA_DIR, 'pg'), { recursive: true });
    expect(await runCli(['restore', backup], environment)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`${namedProjectId('one')} +1 +2\n`)),
    });
    const restored = await start();
    expect((await restored.send('/v1/log/checkpoint')).status).toBe(503);
    await restored.stop();
  }, 240_000);

  it('on PostgreSQL: warns at its start when the store has no checkpoints, and signs', async () => {
    const said: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => said.push(JSON.parse(line).msg) });
    const DATABASE_URL = await createMigratedDatabase(inject('postgresUrl'), 'emptied');
    const DATA_DIR = path.join(folder, 'emptied');
    const start = async () => {
      said.length = 0;
      return startService('PostgreSQL', { environment: { DATABASE_URL, DATA_DIR }, overrides: { logger } });
    };
    const warning = expect.stringContaining('the store for bytes has no signed checkpoints');
    const documents = path.join(DATA_DIR, 'blobs', 'documents');
    // An earlier version stored checkpoints but no document about the use of the store.
    for (const [round, removed] of ['none', 'log-', 'none', 'log-heads-of-'].entries()) {
      const isEmptied = removed === 'log-';
      if (removed !== 'none') {
        const names = readdirSync(documents).filter((name) => name.startsWith(removed));
        expect(names).not.toEqual([]);
        for (const name of names) rmSync(path.join(documents, name));
      }
      const service = await start();
      expect(said).toEqual(isEmptied ? [warning] : []);
      expect((await service.send('/v1/entity', jsonPost({ id: `ann${round}`, role: 'human' }))).ok).toBe(
        true,
      );
      expect((await service.send('/v1/log/checkpoint')).status).toBe(200);
      await service.stop();
    }
  }, 120_000);

  it('signs nothing until the operator accepts the loss', async () => {
    const environment = {
      DATA_DIR: path.join(folder, 'data'),
      SERVER_SIGNING_KEY: '07'.repeat(32),
      DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'newer'),
    };
    const older = {
      ...environment,
      DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'older'),
    };
    const start = (given: Record<string, string>) => startService('PGlite in memory', { environment: given });
    const record = async (service: Service, id: string) =>
      expect((await service.send('/v1/entity', jsonPost({ id, role: 'human' }))).status).toBe(201);
    const newer = await start(environment);
    await record(newer, 'ann');
    await record(newer, 'bo');
    expect((await newer.send('/v1/log/checkpoint')).status).toBe(200);
    await newer.stop();

    const restored = await start(older);
    expect(await runCli(['log', 'check'], older)).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(new RegExp(`${namedProjectId('one')} +0 +2\n`)),
    });
    await record(restored, 'ann');
    const refused = await restored.send('/v1/log/checkpoint');
    expect(refused.status).toBe(503);
    expect(JSON.stringify(await refused.json())).toContain('colophon log accept-loss');
    const { checks } = await (await fetch(`${restored.base}/readyz`)).json();
    expect(checks.log).toContain(
      `impaired: the log of the project ${namedProjectId('one')} lost signed leaves`,
    );
    expect(await (await fetch(`${restored.base}/metrics`)).text()).toContain('colophon_logs_forked 1');
    await record(restored, 'cy');
    expect((await restored.send('/v1/entity/ann')).status).toBe(200);
    await restored.stop();

    expect(await runCli(['log', 'check'], older)).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(new RegExp(`${namedProjectId('one')} +2 +2\n`)),
    });
    expect((await runCli(['log', 'accept-loss'], older)).status).toBe(2);
    const accept = (...more: string[]) =>
      runCli(['log', 'accept-loss', namedProjectId('one'), ...more], older);
    expect(await accept()).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --size 2') });
    expect(await accept('--size', '2')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('continues as'),
    });
    expect(await accept()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Nothing was changed'),
    });
    const accepted = await start(older);
    const [origin] = (await (await accepted.send('/v1/log/checkpoint')).text()).split('\n');
    expect(origin).toMatch(new RegExp(`/log/${namedProjectId('one')}/continued-\\d{8}T\\d{6}Z$`));
    const receipt = await (await accepted.send('/v1/entity/ann/receipt')).json();
    expect(receipt.log.origin).toBe(origin);
    await accepted.stop();
    expect((await runCli(['log', 'check'], older)).status).toBe(0);

    // The leaves of a damaged checkpoint are unknown, so the log gets another name.
    const damaged = path.join(environment.DATA_DIR, 'blobs', 'documents', nameOf({ origin: origin ?? '' }));
    writeFileSync(damaged, '<html>502 Bad Gateway</html>');
    expect(await accept()).toMatchObject({ status: 0, stdout: expect.stringContaining('continues as') });
    const again = await start(older);
    const [renamed] = (await (await again.send('/v1/log/checkpoint')).text()).split('\n');
    expect(renamed).toMatch(/\/continued-\d{8}T\d{6}Z$/);
    expect(renamed).not.toBe(origin);
    await again.stop();
  }, 240_000);
});
