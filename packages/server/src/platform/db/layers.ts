import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The two layers of the store. No statement touches both, so each may live in a database of its own. */
export const LAYERS = ['control', 'provenance'] as const;
export type Layer = (typeof LAYERS)[number];

/** One SQL file; `checksum` is the SHA-256 of its text, hex. */
export interface SqlFile {
  name: string;
  sql: string;
  checksum: string;
}

/** The tables of a layer, in the order in which they came to be. */
export function readMigrations(layer: Layer): SqlFile[] {
  return readSqlFiles(`./migrations/${layer}/`);
}

/** The functions of a layer, ordered by name; each file replaces one function. Folders only group them. */
export function readFunctions(layer: Layer): SqlFile[] {
  return readSqlFiles(`./functions/${layer}/`);
}

function readSqlFiles(folder: string): SqlFile[] {
  const directory = fileURLToPath(new URL(folder, import.meta.url));
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((file) => file.endsWith('.sql')).map((file) => path.join(directory, file));
  const named = files.map((file) => ({ name: path.basename(file), sql: readFileSync(file, 'utf8') }));
  return named
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, sql }) => ({ name, sql, checksum: createHash('sha256').update(sql).digest('hex') }));
}
