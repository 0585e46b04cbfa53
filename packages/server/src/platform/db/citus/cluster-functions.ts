import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Queryable } from '../database.js';
import { readFunctions } from '../layers.js';
import { describeFunctions } from '../schema-changes.js';

/** Whether Citus stores the records of this database on several nodes. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ catalog: string | null }>(
    `select to_regclass('pg_catalog.pg_dist_partition')::text as catalog`,
  );
  if (row === undefined || row.catalog === null) return false;
  const rows = await db.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('provenance.action')`,
  );
  return rows.length > 0;
}

/** Returns the checksum of the functions of this version on the nodes of a cluster. */
export function versionOfFunctions(): string {
  const { checksum } = describeFunctions(readFunctions('provenance'));
  return createHash('sha256').update(checksum).update(readClusterSql()).digest('hex');
}

/** Returns the SQL of the functions that only a cluster has. */
export function readClusterSql(): string {
  return readFileSync(new URL('./cluster.sql', import.meta.url), 'utf8');
}
