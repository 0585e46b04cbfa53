import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from './support/postgres-databases.js';
import { runCli } from './support/run-cli.js';
import { startService } from './support/service.js';
import { install, type Supabase, startSupabase } from './support/supabase/supabase.js';

describe('colophon, with records in Supabase', () => {
  let supabase: Supabase;
  let directory: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    supabase = await startSupabase({ installed: false });
    directory = mkdtempSync(path.join(tmpdir(), 'colophon-supabase-'));
    environment = {
      DATABASE_URL: await createDatabase(inject('postgresUrl')),
      DATA_DIR: directory,
      SUPABASE_URL: supabase.rest.url,
      SUPABASE_SERVICE_KEY: supabase.serviceKey,
      PORT: '0',
    };
  });
  afterAll(async () => {
    await supabase.stop();
    rmSync(directory, { recursive: true });
  });

  it.each(['serve', 'migrate'])(
    '%s names the command to run if the schema is missing, and exits with 1',
    async (command) => {
      const { status, stderr } = await runCli([command], environment);
      expect(status).toBe(1);
      expect(stderr).toContain('colophon supabase-sql | psql');
      expect(stderr).not.toContain(supabase.serviceKey);
    },
  );

  it('supabase-sql prints the SQL of the schema without any configuration', async () => {
    const { status, stdout } = await runCli(['supabase-sql'], {});
    expect(status).toBe(0);
    await install(supabase.ownerUrl, stdout);
    expect((await runCli(['migrate'], environment)).stdout).toBe('The schema is up to date.\n');
  });

  it.each(['backup', 'restore'])(
    '%s is rejected, and the error names the variable to set instead',
    async (command) => {
      const { status, stderr } = await runCli([command, path.join(directory, 'backup')], environment);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('unset SUPABASE_URL, and set DATABASE_URL'),
      ]);
    },
  );

  it('doctor shows the address, and not the key', async () => {
    const { status, stdout } = await runCli(['doctor'], environment);
    expect(status).toBe(0);
    expect(stdout).toContain(supabase.rest.url);
    expect(stdout).not.toContain(supabase.serviceKey);
  });

  it('backup accepts the connection string of a database with both control data and records', async () => {
    const both = { ...environment, DATABASE_URL: supabase.ownerUrl };
    expect((await runCli(['migrate'], both)).status).toBe(0);
    const direct = { ...both, SUPABASE_URL: '', SUPABASE_SERVICE_KEY: '' };
    const { status, stderr } = await runCli(['backup', path.join(directory, 'made')], direct);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('colophon:')]);
  });
});

describe('a service with records in Supabase', () => {
  it('answers 503 during an outage of Supabase, continues afterwards, and never logs the key', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const supabase = await startSupabase();
    const service = await startService('Supabase', {
      environment: { SUPABASE_URL: supabase.rest.url, SUPABASE_SERVICE_KEY: supabase.serviceKey },
      overrides: { logger: pino({ level: 'trace' }, sink) },
    });
    expect((await service.upload('before')).status).toBe(201);
    supabase.rest.intercept = () => ({
      status: 502,
      body: `<html>${supabase.serviceKey}</html>`,
      type: 'text/html',
    });
    const away = await service.upload('meanwhile');
    expect(away.status).toBe(503);
    expect((await away.json()).error).toMatchObject({ code: 'Unavailable' });
    expect((await service.send('/v1/entities')).status).toBe(503);
    const ready = await service.send('/readyz');
    expect([ready.status, (await ready.text()).includes(supabase.serviceKey)]).toEqual([503, false]);
    supabase.rest.intercept = undefined;
    expect((await service.upload('meanwhile')).status).toBe(201);
    const { checks } = await (await service.send('/readyz')).json();
    expect(checks).toMatchObject({ control: 'ok (postgresql)', records: 'ok (supabase)' });
    await service.stop();
    await supabase.stop();
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.join('')).toContain('502');
    expect(lines.join('')).not.toContain(supabase.serviceKey);
  });
});
