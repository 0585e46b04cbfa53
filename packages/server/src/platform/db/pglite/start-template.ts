import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Where the build leaves a migrated, empty database for this version of the engine: opening it is several
 * times faster than making one. An older template is harmless, since migrations run after it is opened.
 */
export function startTemplateFile(): string {
  const manifest = path.join(path.dirname(require.resolve('@electric-sql/pglite')), '../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return path.join(path.dirname(require.resolve('#pglite-worker')), `start-template-${version}.tar.gz`);
}

/** The template's file, when the build made one. */
export function readStartTemplate(): string | undefined {
  const file = startTemplateFile();
  return existsSync(file) ? file : undefined;
}
