import { createHash } from 'node:crypto';
import { listSqlFiles } from './sql-files.js';

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
  return readSqlFiles(`migrations/${layer}`);
}

/** The functions of a layer, ordered by name; each file replaces one function. Folders only group them. */
export function readFunctions(layer: Layer): SqlFile[] {
  return readSqlFiles(`functions/${layer}`);
}

function readSqlFiles(folder: string): SqlFile[] {
  return listSqlFiles(folder).map(({ name, sql }) => ({
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
  }));
}
