import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Queryable, Tx } from '../database.js';
import { readFunctions } from '../layers.js';
import { describeFunctions } from '../schema-changes.js';
import { LOCAL_TABLES, REFERENCE_TABLES } from './tables.js';

/** Arbitrary key of an advisory lock. New sessions wait for it while distributed tables replace the ordinary ones. */
export const DISTRIBUTION_GATE = 7_230_194;

const CATALOG = `select to_regclass('pg_catalog.pg_dist_partition')::text as catalog`;

/** Whether Citus stores the records of this database on several nodes. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  return isInCatalog(db, CATALOG);
}

/** Waits for a running replacement of the tables, and then returns the same as `isDistributed`. */
export async function isDistributedAtLast(db: Queryable): Promise<boolean> {
  return isInCatalog(db, `${CATALOG} from pg_advisory_xact_lock_shared(${DISTRIBUTION_GATE})`);
}

async function isInCatalog(db: Queryable, text: string): Promise<boolean> {
  const [row] = await db.query<{ catalog: string | null }>(text);
  if (row === undefined || row.catalog === null) return false;
  const rows = await db.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('provenance.action')`,
  );
  return rows.length > 0;
}

/** Omits the tables that stay on the coordinator. */
export function listUndistributed(db: Queryable): Promise<{ name: string; isOfProject: boolean }[]> {
  return db.query(
    `select c.relname as name, exists (select from pg_attribute a
       where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped) as "isOfProject"
     from pg_class c where c.relnamespace = 'provenance'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> all ($1::text[])
       and c.oid not in (select p.logicalrelid from pg_dist_partition p where p.partmethod = 'h' or p.repmodel = 't')
     order by c.relname`,
    [LOCAL_TABLES],
  );
}

/** The other tables of projects get the same shards as `action`, so distribute `action` before them. */
export async function distributeTable(tx: Tx, schema: string, name: string): Promise<void> {
  if (REFERENCE_TABLES.includes(name)) await tx.query(`select create_reference_table('${schema}.${name}')`);
  else
    await tx.query(
      `select create_distributed_table('${schema}.${name}', 'project_id', colocate_with => $1)`,
      [name === 'action' ? 'none' : `${schema}.action`],
    );
}

export function versionOfFunctions(): string {
  const { checksum } = describeFunctions(readFunctions('provenance'));
  return createHash('sha256').update(checksum).update(readClusterSql()).digest('hex');
}

export function readClusterSql(): string {
  return readFileSync(new URL('./cluster.sql', import.meta.url), 'utf8');
}
