import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './processes.mjs';

export const PACKAGES = ['packages/model', 'packages/sdk', 'packages/server'];
export const PAGE = 'packages/web';
const STAMP = join(ROOT, 'packages/server/dist/.build-stamp.json');
/** The build copies this list of variables into the service. */
export const CONFIGURATION = 'docs/operate/configuration.md';
/** The build renders the descriptions of the API from this document. */
export const OPENAPI = 'docs/api/openapi.json';
export const DOCUMENTS = 'packages/server/dist/http/wire/documents.bin';
const SHARED_INPUTS = [
  CONFIGURATION,
  OPENAPI,
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build-page.mjs',
  'scripts/build-texts.mjs',
  'scripts/transpile.mjs',
  `${PAGE}/index.html`,
];

const TEXTS = ['docs/tutorial.md', 'docs/api.md'];
const TEXT_FOLDERS = ['docs/guides', 'docs/operate', 'docs/spec'];

/** `typed`: dist must also contain type declarations. */
export function isBuilt({ typed } = {}) {
  const stamp = readStamp();
  if (typed && stamp.typed === false) return false;
  return missingOutputs().length === 0 && stamp.sources === sourceDigest();
}

/** Returns `{}` without a complete build. */
export function readStamp() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
}

export function writeStamp(stamp) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(`${STAMP}.new`, JSON.stringify(stamp));
  renameSync(`${STAMP}.new`, STAMP);
}

/** A switch of branches and back does not change the digest. */
export function sourceDigest() {
  const own = [...PACKAGES, PAGE].flatMap((folder) => [
    ...listFiles(join(ROOT, folder, 'src')),
    join(ROOT, folder, 'package.json'),
    join(ROOT, folder, 'tsconfig.json'),
  ]);
  return digestOf([...own, ...[...SHARED_INPUTS, ...listTexts()].map((name) => join(ROOT, name))]);
}

export function listTexts() {
  const inside = TEXT_FOLDERS.flatMap((folder) =>
    listFiles(join(ROOT, folder)).map((file) => `${folder}${file.slice(join(ROOT, folder).length)}`),
  );
  return [...TEXTS, ...inside.filter((file) => file.endsWith('.md'))];
}

export function templateDigest() {
  const db = listFiles(join(ROOT, 'packages/server/dist/platform/db')).filter((file) =>
    /\.(js|sql)$/.test(file),
  );
  return digestOf([...db, join(ROOT, 'package-lock.json')]);
}

function missingOutputs() {
  const compiled = PACKAGES.flatMap((folder) => {
    const [sources, dist] = [join(ROOT, folder, 'src'), join(ROOT, folder, 'dist')];
    return listFiles(sources)
      .filter((file) => /\.(ts|sql)$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => join(dist, file.slice(sources.length).replace(/\.ts$/, '.js')));
  });
  return [...compiled, join(ROOT, PAGE, 'dist/index.html'), join(ROOT, DOCUMENTS)].filter(
    (output) => !existsSync(output),
  );
}

/** Lists the files of a folder, sorted. The list is empty when the folder does not exist. */
export function listFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const file = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(file) : [file];
    })
    .sort();
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(ROOT.length)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}
