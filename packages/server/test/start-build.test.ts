import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runQuietly } from '../../../scripts/processes.mjs';
import { transpile } from '../../../scripts/transpile.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = ['model', 'sdk', 'server'];

it('the build of `npm start`, without type checks, produces a command that prints the documented API', async () => {
  const tree = mkdtempSync(path.join(tmpdir(), 'colophon-start-build-'));
  const modules = path.join(tree, 'node_modules');
  mkdirSync(path.join(modules, '@colophon'), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (name !== '@colophon') symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  for (const name of PACKAGES) {
    const [from, to] = [path.join(ROOT, 'packages', name), path.join(tree, 'packages', name)];
    for (const part of ['src', 'package.json'])
      cpSync(path.join(from, part), path.join(to, part), { recursive: true });
    symlinkSync(to, path.join(modules, '@colophon', name));
  }
  symlinkSync(path.join(ROOT, 'packages/web'), path.join(modules, '@colophon/web'));
  expect(await transpile(tree)).toBe(0);
  const sql = 'packages/server/dist/platform/db';
  const isSql = (file: string) => statSync(file).isDirectory() || file.endsWith('.sql');
  cpSync(path.join(ROOT, sql), path.join(tree, sql), { recursive: true, filter: isSql });
  const cli = path.join(tree, 'packages/server/dist/cli.js');
  const { code, stdout, stderr } = await runQuietly([process.execPath, cli, 'openapi']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(readFileSync(path.join(ROOT, 'docs/api/openapi.json'), 'utf8'));
  rmSync(tree, { recursive: true });
});
