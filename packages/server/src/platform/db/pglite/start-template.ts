import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Returns the path of the start template: an empty, migrated database that the build creates for this version of
 * PGlite. Opening the template is faster than creating a database. A template of an earlier build works too, because
 * the service runs the missing migrations after it opens the database.
 */
export function startTemplateFile(): string {
  const manifest = path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(path.dirname(require.resolve('#pglite-worker')), `start-template-${version}.tar.gz`);
}

/** Returns the path of the start template; undefined when the build created none. */
export function readStartTemplate(): string | undefined {
  const file = startTemplateFile();
  return existsSync(file) ? file : undefined;
}
