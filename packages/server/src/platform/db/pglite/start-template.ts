import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * An empty, migrated database that the build creates for this version of PGlite. A template of an earlier build works
 * too, because the service runs the missing migrations.
 */
export function startTemplateFile(): string {
  const manifest = path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(path.dirname(require.resolve('#pglite-worker')), `start-template-${version}.tar.gz`);
}

/** Returns undefined when the build created none. */
export function readStartTemplate(): string | undefined {
  const file = startTemplateFile();
  return existsSync(file) ? file : undefined;
}
