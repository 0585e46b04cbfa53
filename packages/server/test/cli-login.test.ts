import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toClientConfig } from '../src/config/client.js';
import { variables } from '../src/config/variables.js';
import { runCli } from './support/run-cli.js';
import { ANY_ENGINE, KEY, type Service, startService } from './support/service.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

let service: Service;
let home: string;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  home = mkdtempSync(path.join(tmpdir(), 'colophon-login-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(home, { recursive: true });
});
const fileOf = () => path.join(home, '.config/colophon/login.json');

it('login stores address and key in a private file, and later commands read this file', async () => {
  const kept = await runCli(['login', service.base], { HOME: home, COLOPHON_API_KEY: KEY });
  expect(kept).toMatchObject({ status: 0, stderr: '' });
  expect(kept.stdout).not.toContain(KEY);
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  const asked = await runCli(['bundle', `sha256:${'ab'.repeat(32)}`, '--json'], { HOME: home });
  expect(JSON.parse(asked.stderr)).toMatchObject({ error: { code: 'NotFound' } });
});

it('the stored key is not sent to another address, and a key in a variable takes precedence over it', async () => {
  const elsewhere = { HOME: home, COLOPHON_URL: service.base.replace('127.0.0.1', 'localhost') };
  const without = await runCli(['bundle', 'a'], elsewhere);
  expect(without.stderr).toContain('COLOPHON_API_KEY');
  const wrong = await runCli(['bundle', 'a', '--json'], {
    HOME: home,
    COLOPHON_URL: service.base,
    COLOPHON_API_KEY: 'another-key-of-nobody',
  });
  expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { code: 'Unauthorized' } });
});

it.each(['COLOPHON_API_KEY', 'COLOPHON_KEY', 'MANAGEMENT_API_KEY'])(
  'a key in %s is not sent to the address of the login',
  async (name) => {
    const { config } = toClientConfig(
      { [name]: 'a-key-of-this-machine' },
      { url: 'https://far.test', apiKey: KEY },
    );
    expect(config).toMatchObject({ url: 'http://localhost:3001' });
    expect(JSON.stringify(config)).not.toContain(KEY);
  },
);

it('login stores nothing that the service rejects', async () => {
  const before = readFileSync(fileOf(), 'utf8');
  const refused = await runCli(['login', service.base], { HOME: home, COLOPHON_API_KEY: 'a-key-of-nobody' });
  expect(refused.status).toBe(1);
  expect(readFileSync(fileOf(), 'utf8')).toBe(before);
});

it('init writes every variable of the service, commented out, to a private .env, and replaces no file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-init-'));
  const run = () => spawnSync(process.execPath, [CLI, 'init'], { cwd: directory, encoding: 'utf8' });
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  const file = path.join(directory, '.env');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  const named = lines.flatMap((line) => /^#([A-Z][A-Z0-9_]*)=$/.exec(line)?.[1] ?? []);
  expect(named).toEqual([...new Set(named)]);
  // The file lists only the two variables of OpenTelemetry that turn tracing on.
  const known = Object.keys(variables.shape).filter((name) => !name.startsWith('OTEL_'));
  expect(known.filter((name) => !named.includes(name))).toEqual([]);
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('.env already exists') });
  rmSync(directory, { recursive: true });
});
