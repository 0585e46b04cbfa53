import { randomUUID } from 'node:crypto';
import { isDistributed } from '../citus/cluster-functions.js';
import type { Database, Queryable } from '../database.js';
import { assertReplaceable } from './assert-replaceable.js';
import { copyAll } from './copy-tables.js';
import { dropCopy, failWithoutCopy } from './drop-copy.js';
import { LARGE_TABLES, NotPartitionableError, PARTITION_LOCK, readCopy, readTables } from './large-tables.js';
import type { PartitionOptions } from './partition-options.js';
import { replaceAll } from './replace-tables.js';

export interface Partitioned {
  /** Names of the tables that this call partitioned. */
  tables: string[];
  /** Time during which the service could not use these tables, in ms. */
  pausedMs: number;
}

/** Returns the bytes that `partition` copies. Does not count pages of TOAST tables. */
export async function countBytesToPartition(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(
    `select coalesce(sum(pg_relation_size(oid)), 0)::text as bytes from pg_class
     where relnamespace = to_regnamespace('provenance') and relkind = 'r' and relname = any ($1::text[])`,
    [LARGE_TABLES],
  );
  return Number(row?.bytes ?? 0);
}

/**
 * Divides the large tables of records by project, while the service runs. It copies and compares all rows, and then
 * replaces the tables in one transaction, which locks them. When it rejects, the tables are unchanged. `db` needs two
 * connections, and no time limit for statements.
 */
export async function partition(db: Database, options: PartitionOptions): Promise<Partitioned> {
  if (await isDistributed(db))
    throw new NotPartitionableError(
      'Citus already divides these tables by project, so they need no partitions.',
    );
  return db.transaction(async (guard) => {
    await guard.exec('set local idle_in_transaction_session_timeout = 0');
    const [row] = await guard.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(${PARTITION_LOCK}) as locked`,
    );
    if (row?.locked !== true)
      throw new NotPartitionableError(
        'Another `colophon db partition` or `distribute` runs on this database.',
      );
    await dropCopy(db, { attempts: options.attempts });
    const tables = await readTables(db);
    if (tables.length === 0) return { tables: [], pausedMs: 0 };
    const names = tables.map(({ name }) => name);
    await assertReplaceable(db, names, options.parts);
    const run = { ...options, runId: randomUUID() };
    try {
      await copyAll(db, tables, run);
      return { tables: names, pausedMs: await replaceAll(db, tables, run) };
    } catch (error) {
      return await failWithoutCopy(db, { attempts: options.attempts, runId: run.runId }, error);
    }
  });
}

/** Returns undefined for a database without partitions and without an unfinished copy. */
export async function describePartitions(
  db: Queryable,
): Promise<{ isFit: boolean; says: string } | undefined> {
  const command = (await readCopy(db))?.command;
  if (command !== undefined) {
    const [lock] = await db.query(
      `select from pg_locks where locktype = 'advisory' and objid = ${PARTITION_LOCK} and granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    if (lock !== undefined) return { isFit: true, says: `\`colophon db ${command}\` is running` };
    return {
      isFit: false,
      says: `\`colophon db ${command}\` was interrupted, and recordings take longer. Run the command again`,
    };
  }
  const [row] = await db.query<{ tables: number; parts: number }>(
    `select count(distinct inhparent)::int as tables, count(*)::int as parts
     from pg_inherits join pg_class c on c.oid = inhparent
     where c.relnamespace = to_regnamespace('provenance') and c.relkind = 'p' and c.relname = any ($1::text[])`,
    [LARGE_TABLES],
  );
  if (row === undefined || row.tables === 0) return undefined;
  return { isFit: true, says: `${row.tables} tables are divided by project, into ${row.parts} partitions` };
}
