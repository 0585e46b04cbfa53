import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Path of the start template: an empty, migrated database that the build creates for this version of PGlite.
 * Opening it is faster than creating a database. An old template works too: migrations run after it is opened.
 */
export function startTemplateFile(): string {
  const manifest = path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(path.dirname(require.resolve('#pglite-worker')), `start-template-${version}.tar.gz`);
}

/** Undefined when the build created no template. */
export function readStartTemplate(): string | undefined {
  const file = startTemplateFile();
  return existsSync(file) ? file : undefined;
}
