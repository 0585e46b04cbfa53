import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
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

/** The functions of a layer; each file replaces one function. */
export function readFunctions(layer: Layer): SqlFile[] {
  return readSqlFiles(`./functions/${layer}/`);
}

function readSqlFiles(folder: string): SqlFile[] {
  const directory = new URL(folder, import.meta.url);
  const names = readdirSync(fileURLToPath(directory)).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => {
    const sql = readFileSync(new URL(name, directory), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}
