import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the packed service, `scripts/pack.mjs` replaces this module with a module that contains the texts. */
export function listSqlFiles(folder: string): { name: string; sql: string }[] {
  const directory = fileURLToPath(new URL(`./${folder}/`, import.meta.url));
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((file) => file.endsWith('.sql'))
    .map((file) => ({ name: path.basename(file), sql: readFileSync(path.join(directory, file), 'utf8') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
