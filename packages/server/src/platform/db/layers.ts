import { createHash } from 'node:crypto';
import { listSqlFiles } from './sql-files.js';

/** The two parts of the store. They may be in two databases, so no statement uses both. */
export const LAYERS = ['control', 'provenance'] as const;
export type Layer = (typeof LAYERS)[number];

/** `checksum` is the SHA-256 of `sql`, in hex. */
export interface SqlFile {
  name: string;
  sql: string;
  checksum: string;
}

export function readMigrations(layer: Layer): SqlFile[] {
  return readSqlFiles(`migrations/${layer}`);
}

/** Reads the functions of a layer, ordered by name. Each file creates or replaces one or more functions. */
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
