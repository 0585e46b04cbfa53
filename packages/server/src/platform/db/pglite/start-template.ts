import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * The file in which the build leaves a migrated, empty database for this version of the engine. Opening it is
 * several times faster than creating one. An older template does no harm, since migrations run after it is opened.
 */
export function startTemplateFile(): string {
  const manifest = path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(path.dirname(require.resolve('#pglite-worker')), `start-template-${version}.tar.gz`);
}

/** Returns the template's file; undefined when the build made none. */
export function readStartTemplate(): string | undefined {
  const file = startTemplateFile();
  return existsSync(file) ? file : undefined;
}
