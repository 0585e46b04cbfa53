import { createHash } from 'node:crypto';
import { listSqlFiles } from './sql-files.js';

/** The two layers of the store. No statement touches both, so they may live in two databases. */
export const LAYERS = ['control', 'provenance'] as const;
export type Layer = (typeof LAYERS)[number];

/** One SQL file; `checksum` is the SHA-256 of its text, hex. */
export interface SqlFile {
  name: string;
  sql: string;
  checksum: string;
}

export function readMigrations(layer: Layer): SqlFile[] {
  return readSqlFiles(`migrations/${layer}`);
}

/** Reads the functions of a layer, ordered by name. Each file replaces one function. Folders only group them. */
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
