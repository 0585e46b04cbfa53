import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database, Queryable, Tx } from '../database.js';
import { readFunctions } from '../layers.js';
import { assertNothingLost } from '../partition/assert-replaceable.js';
import { dropCopy, failWithoutCopy } from '../partition/drop-copy.js';
import { NEXT, NotPartitionableError, PARTITION_LOCK, readTables } from '../partition/large-tables.js';
import { describeFunctions, toEnterSql } from '../schema-changes.js';
import { assertAllFollow } from './assert-all-follow.js';
import {
  distributeTable,
  isDistributed,
  listUndistributed,
  readClusterSql,
  versionOfFunctions,
} from './cluster-functions.js';
import { copyToShards, type DistributeOptions } from './copy-to-shards.js';
import { assertFitCluster, listStaleNodes } from './describe-cluster.js';
import { replaceByShards } from './replace-by-shards.js';
import { REFERENCE_TABLES } from './tables.js';

export interface Distributed {
  /** Names of the tables that this call distributed. */
  tables: string[];
  /** Time during which the service could not use the records, in ms. */
  pausedMs: number;
}

/**
 * Distributes the tables of records over the nodes of a Citus cluster, by project, while the service runs. Can run
 * again, for example after a node was added. When it rejects before the replacement of the tables, they are unchanged.
 * `db` needs four connections, and no time limit for statements.
 */
export async function distribute(db: Database, options: DistributeOptions = {}): Promise<Distributed> {
  await assertFitCluster(db);
  return db.transaction(async (guard) => {
    await guard.exec('set local idle_in_transaction_session_timeout = 0');
    const [row] = await guard.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(${PARTITION_LOCK}) as locked`,
    );
    if (row?.locked !== true)
      throw new NotPartitionableError(
        'Another `colophon db distribute` or `partition` runs on this database.',
      );
    await dropCopy(db, { attempts: options.attempts });
    if (!(await isDistributed(db))) return copyAndReplace(db, guard, options);
    const tables = await db.transaction(moveTables);
    await db.transaction(installFunctions);
    await placeFunctions(db);
    return { tables, pausedMs: 0 };
  });
}

async function copyAndReplace(db: Database, guard: Tx, options: DistributeOptions): Promise<Distributed> {
  await assertAllFollow(db);
  const names = await listToDistribute(db);
  await assertNothingLost(db, names, ['trigger', 'foreign']);
  const tables = await readTables(db, names, ['r', 'p']);
  const run = { ...options, runId: randomUUID() };
  let pausedMs: number;
  try {
    await copyToShards(db, tables, run);
    await placeFunctions(db, NEXT);
    await assertAllFollow(db);
    pausedMs = await replaceByShards(db, tables, { ...run, guard, install: installFunctions });
  } catch (error) {
    if (error instanceof NotPartitionableError)
      options.report?.(
        `${error.message} The command now removes its copies of the tables. For this step, each worker must answer.`,
      );
    return await failWithoutCopy(db, { attempts: options.attempts, runId: run.runId }, error);
  }
  // Gives the nodes the functions of `cluster.sql` too: Citus itself sends only the functions that the tables need.
  await placeFunctions(db);
  return { tables: names, pausedMs };
}

/**
 * Lists the undistributed tables in this order: tables without a project, then `action`, which decides the shards, then
 * the other tables.
 */
async function listToDistribute(db: Queryable): Promise<string[]> {
  const rows = await listUndistributed(db);
  const references = rows.filter(({ name }) => REFERENCE_TABLES.includes(name));
  const ofProjects = rows.filter(({ isOfProject }) => isOfProject).toSorted(byActionFirst);
  return [...references, ...ofProjects].map(({ name }) => name);
}

/** Gives the nodes the tables and functions of this version. Returns false when the database is not distributed. */
export async function refreshCluster(db: Database): Promise<boolean> {
  if (!(await isDistributed(db))) return false;
  await db.transaction(moveTables);
  if ((await isCurrent(db)) && (await listStaleNodes(db)).length > 0) await placeFunctions(db);
  return true;
}

async function moveTables(tx: Tx): Promise<string[]> {
  // Citus calls triggers unsafe. These are safe, because they change only rows on the node of the changed row.
  await tx.exec(`${toEnterSql('provenance')} set local citus.enable_unsafe_triggers = on;
    set local citus.multi_shard_modify_mode = 'sequential'`);
  const names = await listToDistribute(tx);
  for (const name of names) await distributeTable(tx, 'provenance', name);
  return names;
}

const byActionFirst = (one: { name: string }, other: { name: string }) =>
  Number(other.name === 'action') - Number(one.name === 'action');

/** Creates the functions, and makes Citus send calls of `run_on_shard` to the other nodes. */
async function installFunctions(tx: Tx): Promise<void> {
  await tx.exec(toEnterSql('provenance'));
  await installOnCoordinator(tx);
  const known = await tx.query(
    `select from pg_catalog.pg_dist_object
     where objid = 'provenance.run_on_shard(uuid,text,text,text[])'::regprocedure
       and distribution_argument_index is not null`,
  );
  if (known.length > 0) return;
  await tx.query(
    `select create_distributed_function('provenance.run_on_shard(uuid,text,text,text[])', '$1',
       colocate_with => 'provenance.action', force_delegation => true)`,
  );
}

/** The distribution of the tables drops some functions, and a migration replaces the functions of the triggers. */
export async function installOnCoordinator(tx: Tx): Promise<void> {
  await tx.exec('set local citus.enable_ddl_propagation = off; set local check_function_bodies = off');
  for (const { sql } of readFunctions('provenance')) await tx.exec(sql);
  await tx.exec(readClusterSql());
  await tx.exec('set local citus.enable_ddl_propagation = on');
}

/** Arbitrary key of an advisory lock on each node, so that no two nodes of the service place functions at once. */
const PLACE_LOCK = 7_230_192;

/** Creates the functions on each node with shards, for the shards of the tables in this schema. */
async function placeFunctions(db: Queryable, schema = 'provenance'): Promise<void> {
  const sources = readFunctions('provenance').map(({ sql }) => pg.escapeLiteral(sql));
  await runOnNodes(
    db,
    `do $colophon$ begin
       perform pg_advisory_xact_lock(${PLACE_LOCK});
       perform set_config('citus.enable_ddl_propagation', 'off', true);
       create schema if not exists provenance;
       execute ${pg.escapeLiteral(readClusterSql())};
     end $colophon$`,
  );
  await runOnNodes(
    db,
    `select provenance.place_functions(array[${sources.join(', ')}], ${pg.escapeLiteral(versionOfFunctions())})
     from set_config('colophon.copies', '${schema}', true)`,
  );
}

async function runOnNodes(db: Queryable, command: string): Promise<void> {
  const rows = await db.query<{ node: string; result: string }>(
    `select nodename || ':' || nodeport as node, result from run_command_on_workers($1) where not success`,
    [command],
  );
  const [failed] = rows;
  if (failed !== undefined) throw new Error(`The Citus node ${failed.node} failed: ${failed.result}`);
}

/** Whether the functions on the coordinator are those of this version. */
async function isCurrent(db: Queryable): Promise<boolean> {
  const { current, checksum } = describeFunctions(readFunctions('provenance'));
  const rows = await db.query('select from provenance.schema_change where name = $1 and checksum = $2', [
    current,
    checksum,
  ]);
  return rows.length > 0;
}
