import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.mjs';
import {
  CONFIGURATION,
  listFiles,
  OPENAPI,
  PACKAGES,
  PAGE,
  readStamp,
  sourceDigest,
  templateDigest,
  writeStamp,
} from './build-stamp.mjs';
import { bin, ROOT, run } from './processes.mjs';
import { transpile } from './transpile.mjs';
import { withTreeLock } from './tree-lock.mjs';

const SERVER = join(ROOT, 'packages/server');
const MAKE_TEMPLATE = join(SERVER, 'dist/platform/db/pglite/make-template.js');

/** Resolves to an exit code. The caller must have the lock of the tree. */
export async function build() {
  const sources = sourceDigest();
  removeStaleOutputs();
  copySql();
  const typed = existsSync(bin('tsc')[0]);
  console.log('Building...');
  const compiled = await (typed ? compile({ afresh: true }) : transpile(ROOT));
  if (compiled !== 0) return failed('compiling', compiled);
  const command = join(SERVER, 'dist/cli.js');
  if (existsSync(command)) chmodSync(command, 0o755);
  const template = templateDigest();
  const [page, made] = await Promise.all([buildPage(), makeTemplate(template)]);
  if (page !== 0) return failed('building the page', page);
  if (made !== 0) return failed('creating the template of the embedded database', made);
  await renderDocuments();
  writeStamp({ sources, template, typed });
  return 0;
}

/** Needs the built page. */
async function renderDocuments() {
  const { writeDocuments } = await import(join(SERVER, 'dist/http/write-documents.js'));
  const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  await writeDocuments(read(OPENAPI), read(`${PAGE}/dist/docs/texts.json`));
}

/** A service copies the template at its first start. */
async function makeTemplate(digest) {
  return existsSync(MAKE_TEMPLATE) && !hasTemplate(digest) ? run([process.execPath, MAKE_TEMPLATE]) : 0;
}

function failed(step, code) {
  console.error(`The build failed while ${step} (exit code ${code}).`);
  return code;
}

/**
 * The compiler compares file times, so it does not detect a deleted dist or an edit during the compile. `afresh`
 * compiles everything.
 */
export function compile({ afresh }) {
  return run(bin('tsc', '-b', ...(afresh ? ['--force'] : []), ...PACKAGES));
}

function hasTemplate(digest) {
  const files = listFiles(join(SERVER, 'dist/platform/db/pglite'));
  return readStamp().template === digest && files.some((file) => /start-template[^/]*\.tar\.gz$/.test(file));
}

/** Each copy is atomic. */
export function copySql() {
  const sources = join(SERVER, 'src');
  const copies = listFiles(sources).filter((file) => file.endsWith('.sql'));
  const targets = new Map(copies.map((file) => [file, join(SERVER, 'dist', file.slice(sources.length))]));
  targets.set(join(ROOT, CONFIGURATION), join(SERVER, 'dist/cli/configuration.md'));
  for (const [source, target] of targets) {
    const bytes = readFileSync(source);
    if (existsSync(target) && readFileSync(target).equals(bytes)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(`${target}.new`, bytes);
    renameSync(`${target}.new`, target);
  }
}

/** A deleted migration must not run, and deleted code must not load. */
export function removeStaleOutputs() {
  for (const folder of PACKAGES.map((name) => join(ROOT, name))) {
    for (const output of listFiles(join(folder, 'dist'))) {
      const source = sourceOf(output.replace(join(folder, 'dist'), join(folder, 'src')));
      if (source !== undefined && !existsSync(source)) rmSync(output);
    }
  }
}

function sourceOf(output) {
  if (output.endsWith('.sql')) return output;
  const stem = /^(.*)\.(js|js\.map|d\.ts|d\.ts\.map)$/.exec(output)?.[1];
  return stem === undefined ? undefined : `${stem}.ts`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await withTreeLock(build);
