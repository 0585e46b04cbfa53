import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const DIST = ['model/dist', 'sdk/dist', 'server/dist'].map((folder) => path.join(PACKAGES, folder));
const BENCH = fileURLToPath(new URL('../../../bench/', import.meta.url));
const TIME_LIMIT_MS = 30_000;

/** These files are run and never imported. */
const ENTRY = /^(main|cli)\.js$|(^|[/-])(worker|make-template)\.js$/;

/** Imports one file after the other, and prints each file with a side effect to stderr. */
const IMPORT_ALL = `
const state = () => [
  ...process.getActiveResourcesInfo(),
  ...process.eventNames().map((name) => 'listener of ' + String(name)),
].sort();
// Node creates these at their first use.
void [process.stdin, process.stdout, process.stderr];
let before = state();
for (const file of JSON.parse(process.argv[1])) {
  await import(file);
  await new Promise((resolve) => setImmediate(resolve));
  const after = state();
  const added = after.filter((name) => !before.includes(name) || count(after, name) > count(before, name));
  if (added.length > 0) console.error(file + ' leaves ' + added.join(', '));
  before = after;
}
function count(list, name) {
  return list.filter((other) => other === name).length;
}
`;

const LISTENS = `import { createServer } from 'node:net';
const server = createServer().listen(0);
setTimeout(() => server.close(), 200);`;

function listModules(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.js') && !ENTRY.test(name))
    .map((name) => path.join(folder, name));
}

async function importAll(files: string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', IMPORT_ALL, JSON.stringify(files)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, stdout: await stdout, stderr: await stderr };
}

describe('the check of imports', () => {
  const planted = mkdtempSync(path.join(tmpdir(), 'colophon-imports-'));
  afterAll(() => rmSync(planted, { recursive: true }));

  it.skipIf(!DIST.every((folder) => existsSync(folder)))('finds no effect of any built file', async () => {
    const files = DIST.flatMap(listModules);
    expect(files.length).toBeGreaterThan(20);
    expect(await importAll(files)).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });

  it.each([
    ['a timer', 'setTimeout(() => {}, 50);', 'Timeout'],
    ['a server', LISTENS, 'TCPServerWrap'],
    ['a signal handler', `process.once('SIGTERM', () => {});`, 'listener of SIGTERM'],
  ])('detects a file that leaves %s', async (name, source, says) => {
    const file = path.join(planted, `${name.replaceAll(' ', '-')}.mjs`);
    writeFileSync(file, source);
    expect((await importAll([file])).stderr).toContain(`${file} leaves ${says}`);
  });

  it('detects a file that prints', async () => {
    const file = path.join(planted, 'prints.mjs');
    writeFileSync(file, `process.stdout.write('hello');`);
    expect((await importAll([file])).stdout).toBe('hello');
  });
});

it.skipIf(!DIST.every((folder) => existsSync(folder)))(
  'each benchmark finds all that it imports',
  async () => {
    const names = readdirSync(BENCH).filter((name) => name.endsWith('.mjs') && name !== 'run.mjs');
    expect(names.length).toBeGreaterThan(20);
    const { code, stderr } = await importAll(names.map((name) => path.join(BENCH, name)));
    expect({ code, stderr }).toMatchObject({ code: 0 });
  },
);
