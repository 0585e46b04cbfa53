// Runs before and after `npm pack` of packages/colophon. With the argument `stage`, builds the service and the page
// into app/. With the argument `clear`, removes app/. If app/ stayed, bin/colophon.mjs would run it instead of this
// checkout.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT, run } from './processes.mjs';

const PACKAGE = join(ROOT, 'packages/colophon');
const STAGED = join(PACKAGE, 'app/node_modules/@colophon');
const COPIED = ['LICENSE', 'README.md'];
const SERVER = join(ROOT, 'packages/server');
const LAYERS = ['control', 'provenance'];
/** Files that the service reads at run time from the folder of its code. */
const DATA = [
  'platform/db/supabase/door.sql',
  'platform/db/citus/cluster.sql',
  'cli/configuration.md',
  'http/wire/documents.bin',
];

async function stage() {
  clear();
  const prepared = await run([process.execPath, fileURLToPath(new URL('prepare.mjs', import.meta.url))]);
  if (prepared !== 0) return prepared;
  for (const name of COPIED) cpSync(join(ROOT, name), join(PACKAGE, name));
  await stageServer(join(STAGED, 'server'));
  const web = join(STAGED, 'web');
  cpSync(join(ROOT, 'packages/web/dist'), join(web, 'dist'), { recursive: true });
  writeManifest('web', web, {});
  return 0;
}

/** `npx` unpacks a local package four times at each call, so each file costs time. */
async function stageServer(target) {
  const from = join(SERVER, 'dist');
  const to = join(target, 'dist');
  mkdirSync(to, { recursive: true });
  const { imports } = readManifest('server');
  const workers = Object.entries(imports).map(([name, file]) => [name.slice(1), join(SERVER, file)]);
  await bundle({ cli: join(from, 'cli.js'), ...Object.fromEntries(workers) }, to);
  const templates = readdirSync(join(from, 'platform/db/pglite')).filter((name) => name.endsWith('.tar.gz'));
  for (const file of DATA) cpSync(join(from, file), join(to, basename(file)), { recursive: true });
  // The build used a fast compression. Here, a smaller package is worth some seconds.
  for (const name of templates) {
    const tar = gunzipSync(readFileSync(join(from, 'platform/db/pglite', name)));
    writeFileSync(join(to, name), gzipSync(tar, { level: 9 }));
  }
  const packed = Object.fromEntries(workers.map(([name]) => [`#${name}`, `./dist/${name}.js`]));
  writeManifest('server', target, { imports: packed, exports: { './cli': './dist/cli.js' } });
}

async function bundle(input, dir) {
  const { rolldown } = await import('rolldown');
  const plugins = [await inlineSql()];
  const bundled = await rolldown({
    input,
    plugins,
    platform: 'node',
    external: isOfOthers,
    logLevel: 'warn',
  });
  await bundled.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
}

async function inlineSql() {
  const module = join(SERVER, 'dist/platform/db/sql-files.js');
  const { listSqlFiles } = await import(module);
  const folders = ['migrations', 'functions'].flatMap((kind) => LAYERS.map((layer) => `${kind}/${layer}`));
  const files = JSON.stringify(Object.fromEntries(folders.map((folder) => [folder, listSqlFiles(folder)])));
  const code = `const FILES = ${files};\nexport const listSqlFiles = (folder) => FILES[folder];`;
  return { name: 'inline-sql', load: (id) => (id === module ? code : undefined) };
}

function isOfOthers(id) {
  return !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@colophon/');
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
}

/** Omits the dependencies, because the package.json of packages/colophon lists them. */
function writeManifest(name, target, changes) {
  const { dependencies, devDependencies, optionalDependencies, ...manifest } = readManifest(name);
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, ...changes }, null, 2)}\n`);
}

function clear() {
  rmSync(join(PACKAGE, 'app'), { recursive: true, force: true });
  for (const name of COPIED) rmSync(join(PACKAGE, name), { force: true });
}

if (process.argv[2] === 'stage') process.exitCode = await stage();
else clear();
