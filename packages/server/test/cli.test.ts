import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProcess } from './support/process.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../../docs/api/openapi.json', import.meta.url));

function colophon(argv: string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...argv], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

describe('colophon', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'colophon-cli-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('keys create: prints a key, once, that opens its project and nothing that it may not do', async () => {
    const made = colophon(['keys', 'create', '--project', 'photos', '--permission', 'read', '--json'], {
      DATA_DIR: directory,
    });
    expect(made.status).toBe(0);
    const { key, prefix, permission } = JSON.parse(made.stdout);
    expect([key.slice(0, 16), permission]).toEqual([prefix, 'read']);

    const service = await startProcess({ DATA_DIR: directory, API_KEYS: '' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    expect((await service.send('/v1/entity/nobody', { headers })).status).toBe(404);
    const write = await service.send('/v1/entity', { method: 'POST', headers, body: '{"role":"human"}' });
    expect([write.status, (await write.json()).error.code]).toEqual([403, 'Forbidden']);

    const refused = colophon(['keys', 'create'], { DATA_DIR: directory });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('in use by process')]);
    expect(await service.stop()).toBe(0);
  });

  it('openapi: prints what is committed', () => {
    expect(colophon(['openapi']).stdout).toBe(readFileSync(DOCUMENT, 'utf8'));
  });

  it('doctor: prints the configuration without its secrets', () => {
    const { status, stdout } = colophon(['doctor'], {
      DATABASE_URL: 'postgresql://user:secret-1@db.example:5432/d?password=secret-2',
      API_KEYS: 'secret-key-3',
    });
    expect(status).toBe(0);
    expect(stdout).toContain('db.example');
    expect(stdout).not.toContain('secret');
  });

  it.each([
    [['nonsense'], {}, 'no command'],
    [['keys', 'destroy'], {}, 'keys create'],
    [['keys', 'create', '--permission', 'root'], {}, '--permission'],
    [['keys', 'create', '--project', 'a/b'], {}, '--project'],
    [['keys', 'create', '--nosuch'], {}, '--nosuch'],
    [['keys', 'create'], {}, 'DATA_DIR'],
    [['migrate'], {}, 'DATA_DIR'],
    [['serve'], { PORT: 'x' }, 'PORT'],
    [['doctor'], { NODE_ENV: 'production' }, 'DATABASE_URL'],
  ])('exit code 2 for %j with %j, naming %s', (argv, environment, named) => {
    const { status, stderr, stdout } = colophon(argv, environment as Record<string, string>);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('--help and no words at all print the commands; --version the version', () => {
    expect(colophon([]).stdout).toBe(colophon(['--help']).stdout);
    expect(colophon(['keys', '--help']).stdout).toContain('keys create');
    expect(colophon(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
