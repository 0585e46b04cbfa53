import { createHash } from 'node:crypto';
import { listSqlFiles } from './sql-files.js';

/** The two parts of the store. They may be in two databases, so no statement uses both. */
export const LAYERS = ['control', 'provenance'] as const;
export type Layer = (typeof LAYERS)[number];

export interface SqlFile {
  name: string;
  sql: string;
  checksum: string;
}

export function readMigrations(layer: Layer): SqlFile[] {
  return readSqlFiles(`migrations/${layer}`);
}

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
