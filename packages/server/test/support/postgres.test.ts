import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type PostgresServer, startPostgres } from './postgres.js';
import { runSql } from './postgres-databases.js';

describe('a private PostgreSQL with fsync', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
    url = await createDatabase(server, 'harness');
  });
  afterAll(() => server.stop());

  it('is version 15 or later', async () => {
    const [row] = await runSql(url, "select current_setting('server_version_num')::int as number");
    expect(row?.number).toBeGreaterThanOrEqual(150_000);
    expect(server.version).toMatch(/^\d+/);
  });

  it('keeps a committed row across kill -9', async () => {
    await runSql(url, 'create table kept (id int)');
    await runSql(url, 'insert into kept values (7)');
    await server.kill9();
    await expect(runSql(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.restart();
    expect(await runSql(url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('gets a new database from each call of `createDatabase`', async () => {
    const other = await createDatabase(server, 'harness');
    expect(other).not.toBe(url);
    expect(await runSql(other, "select to_regclass('kept') as kept")).toEqual([{ kept: null }]);
  });

  it('can be restarted while it runs', async () => {
    await server.restart();
    expect(await runSql(url, 'select id from kept')).toEqual([{ id: 7 }]);
  });
});

describe('a private PostgreSQL that is no longer needed', () => {
  it('removes its directory at stop', async () => {
    const server = await startPostgres();
    const data = await dataDirectory(server.url);
    expect(existsSync(data)).toBe(true);
    await server.stop();
    expect(existsSync(path.dirname(data))).toBe(false);
  });

  it('ends and removes its directory when the test run is killed', async () => {
    const { run, url } = await startElsewhere();
    const data = await dataDirectory(url);
    run.kill('SIGKILL');
    const polling = { timeout: 10_000, interval: 100 };
    await vi.waitFor(() => expect(runSql(url, 'select 1')).rejects.toThrow('ECONNREFUSED'), polling);
    await vi.waitFor(() => expect(existsSync(path.dirname(data))).toBe(false), polling);
  });
});

async function dataDirectory(url: string): Promise<string> {
  const [row] = await runSql(url, 'show data_directory');
  return String(row?.data_directory);
}

const ELSEWHERE = `
import { createViteServer } from 'vitest/node';
const server = { middlewareMode: true, watch: null, ws: false };
const vite = await createViteServer({ configFile: false, logLevel: 'error', server });
const { startPostgres } = await vite.ssrLoadModule(process.argv[1]);
process.stdout.write((await startPostgres()).url);
setInterval(() => {}, 1000);
`;

/** The other process only waits after the start. */
async function startElsewhere(): Promise<{ run: ChildProcess; url: string }> {
  const module = fileURLToPath(new URL('postgres.ts', import.meta.url));
  const run = spawn(process.execPath, ['--input-type=module', '-e', ELSEWHERE, module], {
    cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(run.stdout, 'data')) as [Buffer];
  return { run, url: chunk.toString() };
}
