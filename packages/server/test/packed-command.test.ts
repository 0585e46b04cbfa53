import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { reachable } from '../../../scripts/lock-graph.mjs';
import { npm, runQuietly } from '../../../scripts/processes.mjs';
import { PNG } from './support/media.js';
import { mediaForm } from './support/media-form.js';
import { startProcess } from './support/process.js';
import { jsonPost } from './support/service.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_BYTES = 8.5 * 2 ** 20;
/** `npx` unpacks a local package four times at each call. */
const MAX_FILES = 450;
const APP = 'app/node_modules/@colophon';

const tree = mkdtempSync(path.join(tmpdir(), 'colophon-packed-'));
const modules = path.join(tree, 'node_modules');
const command = path.join(modules, 'colophon/bin/colophon.mjs');
let packed: { filename: string; size: number; files: { path: string }[] };

/** npm installs the files next to their dependencies and no other packages. */
beforeAll(async () => {
  const pack = npm('pack', '-w', 'packages/colophon', '--json', '--pack-destination', tree);
  const { code, stdout, stderr } = await runQuietly(pack);
  if (code !== 0) throw new Error(stderr);
  [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const unpacked = await runQuietly(['tar', '-xzf', path.join(tree, packed.filename), '-C', tree]);
  if (unpacked.code !== 0) throw new Error(unpacked.stderr);
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(path.join(tree, 'package/package.json'), 'utf8'));
  for (const place of reachable({ ...packages, packed: manifest }, ['packed'])) {
    if (!place.startsWith('node_modules/') || place.lastIndexOf('node_modules/') > 0) continue;
    mkdirSync(path.dirname(path.join(tree, place)), { recursive: true });
    symlinkSync(path.join(ROOT, place), path.join(tree, place));
  }
  renameSync(path.join(tree, 'package'), path.join(modules, 'colophon'));
});
afterAll(() => rmSync(tree, { recursive: true }));

it('the package contains the service and the built page, but no typings and no source maps', () => {
  const files = packed.files.map(({ path: file }) => file);
  const page = ['index.html', 'docs/texts.json'].map((file) => `${APP}/web/dist/${file}`);
  for (const file of ['LICENSE', 'README.md', `${APP}/server/dist/cli.js`, ...page])
    expect(files).toContain(file);
  expect(files.filter((file) => /\.(map|d\.ts)$/.test(file))).toEqual([]);
  expect(files.length).toBeLessThan(MAX_FILES);
  expect(statSync(path.join(tree, packed.filename)).size).toBeLessThan(MAX_BYTES);
});

it('the package contains the program of each thread, and the files that its commands read', async () => {
  const server = path.join(modules, 'colophon', APP, 'server');
  const { imports } = JSON.parse(readFileSync(path.join(server, 'package.json'), 'utf8'));
  const ofCheckout = JSON.parse(readFileSync(path.join(ROOT, 'packages/server/package.json'), 'utf8'));
  expect(Object.keys(imports)).toEqual(Object.keys(ofCheckout.imports));
  for (const file of Object.values<string>(imports))
    expect(statSync(path.join(server, file)).isFile()).toBe(true);
  const run = (name: string) => runQuietly([process.execPath, command, name], { cwd: tree });
  expect(await run('supabase-sql')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('colophon_run'),
  });
  expect(await run('init')).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(tree, '.env'), 'utf8')).toContain('DATABASE_URL');
});

it('the packed command serves the page, records content and finds the content', async () => {
  const service = await startProcess({ DATA_DIR: path.join(tree, 'data') }, command, ['serve']);
  const page = await service.send('/app/');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
  expect((await service.upload(PNG)).status).toBe(201);
  const form = mediaForm({ file: PNG });
  expect((await service.send('/v1/media/extract', { method: 'POST', body: form })).status).toBe(200);
  const text =
    'A harbour at dawn, with boats, gulls and a lighthouse that nobody has painted before. '.repeat(3);
  const { cid } = await (await service.upload(text)).json();
  await vi.waitFor(
    async () => {
      const found = await service.send('/v1/search/text', jsonPost({ text }));
      expect(await found.text()).toContain(cid);
    },
    { timeout: 30_000 },
  );
  expect(await service.stop()).toBe(0);
});

it('packing leaves no files in the checkout, and the command works in the checkout too', async () => {
  expect(readdirSync(path.join(ROOT, 'packages/colophon')).sort()).toEqual(['bin', 'package.json']);
  const help = await runQuietly([process.execPath, 'packages/colophon/bin/colophon.mjs', '--help']);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('colophon record') });
});
